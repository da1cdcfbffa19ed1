package media

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/livekit/protocol/logger"
	"github.com/livekit/protocol/logger/zaputil"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// LogTo sends the log of the media libraries to log. It is for processes that join rooms without running
// a server. The libraries have one logger per process: the last call decides where it goes.
func LogTo(log *slog.Logger) { quieten(log, "") }

// quieten sends the libraries' log to log and keeps secret out of it. A nil log leaves the
// destination as it is.
func quieten(log *slog.Logger, secret string) {
	if ours, ok := logger.GetLogger().(libraryLog); ok {
		ours.sink.lead(log, secret)
		return
	}
	if logger.GetLogger() != logger.GetDiscardLogger() {
		return // the embedding program has its own logger
	}
	out := libraryLog{sink: &sink{log: slog.New(slog.DiscardHandler)}}
	out.sink.lead(log, secret)
	logger.SetLogger(out, "media")
	lksdk.SetLogger(out)
	redis.SetLogger(redisLog{out})
}

// redisLog receives the Redis client's messages about its connections.
type redisLog struct{ out libraryLog }

// Printf implements the client's logger interface.
func (l redisLog) Printf(_ context.Context, format string, values ...any) {
	l.out.WithName("redis").Infow(fmt.Sprintf(format, values...))
}

// sink is the destination of the libraries' log of this process, whichever of them writes.
// Secrets are kept after their server has stopped, since it may log once more after that.
type sink struct {
	mu      sync.Mutex
	log     *slog.Logger
	secrets []string
	said    map[string]*repeated // recent warnings by text
}

const (
	// mostRepeats is how often the same text is logged as a warning within repeatTime. Some warnings are about what an
	// agent sends, which it can do any number of times.
	mostRepeats, repeatTime = 10, time.Minute
	// mostSaid bounds the number of texts remembered; nearly all are constant.
	mostSaid = 200
)

// repeated counts how often the same text was logged since a time.
type repeated struct {
	since time.Time
	n     int
}

// temper returns the level at which to log a text: a warning repeated too often is logged at debug level. unsaid is
// how many repetitions were suppressed in the period before this one.
func (s *sink) temper(level slog.Level, words string, now time.Time) (as slog.Level, unsaid int) {
	if level < slog.LevelWarn {
		return level, 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.said[words]
	switch {
	case before == nil && (s.said == nil || len(s.said) >= mostSaid):
		s.said = map[string]*repeated{}
		fallthrough
	case before == nil:
		before = &repeated{since: now}
		s.said[words] = before
	case now.Sub(before.since) >= repeatTime:
		unsaid = max(before.n-mostRepeats, 0)
		*before = repeated{since: now}
	}
	if before.n++; before.n > mostRepeats {
		return slog.LevelDebug, 0
	}
	return level, unsaid
}

// lead changes the destination unless log is nil, and adds a secret.
func (s *sink) lead(log *slog.Logger, secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if log != nil {
		s.log = log
	}
	if secret != "" && !slices.Contains(s.secrets, secret) {
		s.secrets = append(s.secrets, secret)
	}
}

// now returns the current destination and the secrets to remove.
func (s *sink) now() (*slog.Logger, []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log, s.secrets
}

// libraryLog is the logger given to the server and its client. Little of what they log is fit for our log: errors
// contain whole tokens, requests contain callers' data. It logs only errors as warnings, without tokens, with only
// those values that identify a place, and each text a limited number of times per minute. Their warnings and
// information are logged at debug level with all values, their debug messages not at all.
type libraryLog struct {
	sink   *sink
	name   string
	values []any
}

// fit lists the keys of the libraries' log whose values may be shown, in both spellings in use.
func fit(key any) bool {
	switch key {
	case "room", "roomID", "participantID", "nodeID", "trackID", "reason", "method", "service", "code", "status",
		"duration", "attempt", "state", "kind", "transport", "count":
		return true
	}
	return false
}

func (l libraryLog) write(level slog.Level, msg string, err error, values []any) {
	log, secrets := l.sink.now()
	level, unsaid := l.sink.temper(level, msg, time.Now())
	if !log.Enabled(context.Background(), level) {
		return
	}
	attrs := []slog.Attr{slog.String("said", blacken(msg, secrets...)), slog.String("part", l.name)}
	if unsaid > 0 {
		attrs = append(attrs, slog.Int("unsaid", unsaid))
	}
	if err != nil {
		attrs = append(attrs, slog.String("error", blacken(err.Error(), secrets...)))
	}
	for _, list := range [][]any{l.values, values} {
		for i := 0; i+1 < len(list); i += 2 {
			if key, ok := list[i].(string); ok && fit(key) {
				attrs = append(attrs, slog.String(key, blacken(fmt.Sprint(list[i+1]), secrets...)))
			}
		}
	}
	log.LogAttrs(context.Background(), level, "media server", attrs...)
}

// Debugw discards the message: the libraries log every packet, and formatting that would cost more than it is worth.
func (l libraryLog) Debugw(string, ...any) {}

// Infow logs at debug level: the libraries log every request.
func (l libraryLog) Infow(msg string, values ...any) {
	l.write(slog.LevelDebug, msg, nil, values)
}

// Warnw logs at debug level: the libraries warn of things that are normal on any network.
func (l libraryLog) Warnw(msg string, err error, values ...any) {
	l.write(slog.LevelDebug, msg, err, values)
}

// Errorw logs a warning: an error that affects a call is on the call's timeline.
func (l libraryLog) Errorw(msg string, err error, values ...any) {
	l.write(slog.LevelWarn, msg, err, values)
}

func (l libraryLog) WithValues(values ...any) logger.Logger {
	l.values = append(l.values[:len(l.values):len(l.values)], values...)
	return l
}

func (l libraryLog) WithUnlikelyValues(values ...any) logger.UnlikelyLogger {
	return logger.NewUnlikelyLogger(l, values...)
}

func (l libraryLog) WithName(name string) logger.Logger {
	if l.name != "" {
		name = l.name + "." + name
	}
	l.name = name
	return l
}

func (l libraryLog) WithComponent(name string) logger.Logger { return l.WithName(name) }

// The following methods make libraryLog a logger.ZapLogger, which the WebRTC library asks for
// its level before it formats a message. Without them it formatted and discarded every debug
// message, reading whole tracks while others wrote to them.

// ComponentLeveler implements logger.ZapLogger.
func (l libraryLog) ComponentLeveler() logger.ZapComponentLeveler { return l }

// ComponentLevel implements logger.ZapComponentLeveler. It disables debug messages, which Debugw discards.
func (l libraryLog) ComponentLevel(string) zapcore.LevelEnabler { return zapcore.InfoLevel }

// ToZap implements logger.ZapLogger. It is for code that logs by slog, which there is none of here.
func (l libraryLog) ToZap() *zap.SugaredLogger { return zap.NewNop().Sugar() }

// WithMinLevel implements logger.ZapLogger.
func (l libraryLog) WithMinLevel(zapcore.LevelEnabler) logger.Logger { return l }

func (l libraryLog) WithCallDepth(int) logger.Logger { return l }
func (l libraryLog) WithItemSampler() logger.Logger  { return l }
func (l libraryLog) WithoutSampler() logger.Logger   { return l }
func (l libraryLog) WithDeferredValues() (logger.Logger, logger.DeferredFieldResolver) {
	return l, zaputil.NoOpDeferrer{}
}
