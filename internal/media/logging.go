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

// LogTo gives the libraries' own log to ours for a process that joins rooms and
// has no server. They have one logger for the whole process: the last who has one decides where it goes.
func LogTo(log *slog.Logger) { quieten(log, "") }

// quieten gives the libraries' log to ours, and keeps a secret out of it. nil has no
// say in where it goes.
func quieten(log *slog.Logger, secret string) {
	if ours, ok := logger.GetLogger().(libraryLog); ok {
		ours.sink.lead(log, secret)
		return
	}
	if logger.GetLogger() != logger.GetDiscardLogger() {
		return // whoever embeds us has a log of their own
	}
	out := libraryLog{sink: &sink{log: slog.New(slog.DiscardHandler)}}
	out.sink.lead(log, secret)
	logger.SetLogger(out, "media")
	lksdk.SetLogger(out)
	redis.SetLogger(redisLog{out})
}

// redisLog takes what the Redis client says of its connections.
type redisLog struct{ out libraryLog }

// Printf implements the client's logger.
func (l redisLog) Printf(_ context.Context, format string, values ...any) {
	l.out.WithName("redis").Infow(fmt.Sprintf(format, values...))
}

// sink is where the libraries' log of a process ends, whoever of them writes it. What
// must not stand there stays secret after its server has gone: its last words come later.
type sink struct {
	mu      sync.Mutex
	log     *slog.Logger
	secrets []string
	said    map[string]*repeated // what was warned of, by its words
}

const (
	// mostRepeats is how often the same words are a warning within repeatTime. Some are about what an agent sends, who
	// may send any number of it.
	mostRepeats, repeatTime = 10, time.Minute
	// mostSaid bounds how many words are remembered: nearly all are fixed ones.
	mostSaid = 200
)

// repeated is how often the same words were said since a time.
type repeated struct {
	since time.Time
	n     int
}

// temper says how loud something is to be said at a time: a warning that repeats itself too often is for debugging.
// unsaid is how many of the same words were no warning in the time before this one.
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

// lead leads the log elsewhere from now on, unless there is no elsewhere.
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

// now is where the log goes at the moment, and what must not stand in it.
func (s *sink) now() (*slog.Logger, []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log, s.secrets
}

// libraryLog is what the server and its client log to. Of what they say little is
// fit for a log of ours: whole tokens stand in errors, callers' data in requests. So
// only warnings and worse get through, tokens blackened, with those of their
// values that name a place, and the same one no more than some times a minute; everything else, and all of it, is for debugging.
type libraryLog struct {
	sink   *sink
	name   string
	values []any
}

// fit lists the values of the libraries' log that may be shown, in both their spellings.
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

// What the libraries call information and debugging is the course of every
// request and packet; formatting it would cost more than it tells.
func (l libraryLog) Debugw(string, ...any) {}
func (l libraryLog) Infow(msg string, values ...any) {
	l.write(slog.LevelDebug, msg, nil, values)
}

// Warnw is for debugging too: the libraries warn of what happens on any network.
func (l libraryLog) Warnw(msg string, err error, values ...any) {
	l.write(slog.LevelDebug, msg, err, values)
}

// Errorw is a warning to us: what went wrong for a call stands on its timeline.
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

// What follows makes it a logger.ZapLogger, which the WebRTC library asks whether it may
// say something before it puts that into words. Without it every word for debugging
// was formatted and thrown away, whole tracks among them while others wrote to them.

// ComponentLeveler implements logger.ZapLogger.
func (l libraryLog) ComponentLeveler() logger.ZapComponentLeveler { return l }

// ComponentLevel implements logger.ZapComponentLeveler: Debugw says nothing.
func (l libraryLog) ComponentLevel(string) zapcore.LevelEnabler { return zapcore.InfoLevel }

// ToZap implements logger.ZapLogger, for those who log by slog: nobody does here.
func (l libraryLog) ToZap() *zap.SugaredLogger { return zap.NewNop().Sugar() }

// WithMinLevel implements logger.ZapLogger.
func (l libraryLog) WithMinLevel(zapcore.LevelEnabler) logger.Logger { return l }

func (l libraryLog) WithCallDepth(int) logger.Logger { return l }
func (l libraryLog) WithItemSampler() logger.Logger  { return l }
func (l libraryLog) WithoutSampler() logger.Logger   { return l }
func (l libraryLog) WithDeferredValues() (logger.Logger, logger.DeferredFieldResolver) {
	return l, zaputil.NoOpDeferrer{}
}
