package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/custom"
	"github.com/ringtrue/ringtrue/internal/calllog/platforma"
	"github.com/ringtrue/ringtrue/internal/calllog/platformb"
	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/emotion"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/queue"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/score"
	"github.com/ringtrue/ringtrue/internal/score/judge"
	"github.com/ringtrue/ringtrue/internal/store"
)

func (p *parts) newCatalog(o Options) *catalog.Service {
	return catalog.New(catalog.Options{
		Store: store.As[catalog.Tx](p.store), NewID: store.NewID, Now: o.Now,
		CheckScorer: func(c score.Config) *problem.Error {
			_, err := score.Build(c, p.scoreDeps())
			return err
		},
	})
}

func (p *parts) newCallLogs(o Options) (*calllog.Service, error) {
	providers, err := pairs("--alias-provider", o.ProviderAliases, calllog.Custom, calllog.PlatformA, calllog.PlatformB)
	if err != nil {
		return nil, err
	}
	kinds, err := pairs("--alias-kind", o.KindAliases, custom.TranscriptKind)
	if err != nil {
		return nil, err
	}
	return calllog.New(calllog.Options{
		Store: store.As[calllog.Tx](p.store), NewID: store.NewID, Now: o.Now,
		Readers: map[string]calllog.Reader{
			calllog.Custom: custom.Reader(kinds), calllog.PlatformA: platforma.Reader(), calllog.PlatformB: platformb.Reader(),
		},
		Aliases:  providers,
		Relinked: p.callsRelinked, Erased: p.callErased,
		Arrived: o.callLogArrived(), Stored: o.callLogsStored(),
	}), nil
}

// callsRelinked moves the monitoring counts of the calls to their agent.
func (p *parts) callsRelinked(ctx context.Context, tx calllog.Tx, agentID string, callIDs []string) error {
	watched, ok := tx.(monitor.Tx)
	if !ok {
		return errors.New("a transaction of the call logs is none of monitoring")
	}
	for _, id := range callIDs {
		if err := p.monitor.Relinked(ctx, watched, id, agentID); err != nil {
			return err
		}
	}
	return nil
}

// callErased takes a call out of monitoring until it has been reviewed again.
func (p *parts) callErased(ctx context.Context, tx calllog.Tx, callID string) error {
	watched, ok := tx.(monitor.Tx)
	if !ok {
		return errors.New("a transaction of the call logs is none of monitoring")
	}
	if err := p.monitor.Forget(ctx, watched, callID); err != nil {
		return err
	}
	// Once more when monitoring has counted the call's hour anew and let go of what only this call had.
	return tx.Enqueue(ctx, calllog.JobErase, callID, 3*figuresEvery)
}

// pairs reads "name=meaning" flags; a meaning must be one of meanings where any are given.
func pairs(flag string, texts []string, meanings ...string) (map[string]string, error) {
	out := map[string]string{}
	for _, text := range texts {
		name, meaning, ok := strings.Cut(text, "=")
		if !ok || name == "" || meaning == "" {
			return nil, problem.Invalid(problem.Field{Path: flag, Message: "must be NAME=MEANING, not " + text})
		}
		if len(meanings) > 0 && !slices.Contains(meanings, meaning) {
			return nil, problem.Invalid(problem.Field{Path: flag, Message: meaning + " is nothing that a name can stand for; that is " + strings.Join(meanings, " or ")})
		}
		if name != meaning && slices.Contains(meanings, name) { // it has a meaning already
			return nil, twoMeanings(flag, name, name, meaning)
		}
		if other, twice := out[name]; twice && other != meaning {
			return nil, twoMeanings(flag, name, other, meaning)
		}
		out[name] = meaning
	}
	return out, nil
}

// twoMeanings refuses a name that is to stand for two things: one of them would be passed over.
func twoMeanings(flag, name, one, other string) error {
	return problem.Invalid(problem.Field{Path: flag, Message: name + " stands for " + one + " and for " + other + "; leave out one of the two"})
}

func (p *parts) newExperiments(o Options) *experiment.Service {
	began := p.steady()
	return experiment.New(experiment.Options{
		Store: store.As[experiment.Tx](p.store), Line: bothLines{p.line, p.roomLine}, HangUp: p.hangUp, Pressure: p.pressure, RoomPressure: p.roomPressure, MostCalls: p.line.MostCalls(), Recordings: p.recordings,
		Rooms: p.roomsPort(), MediaServer: p.mediaServer, MediaKeys: p.rooms.signs(), RoomWait: o.Media.RoomWait,
		Prepare: p.cast.prepare, Cast: p.cast.cast, Trunk: trunks(o.Trunks).find, Trunks: trunks(o.Trunks).all(), Probe: p.line.Probe, Free: free(o), Preflight: p.preflight,
		NewID: store.NewID, Now: o.Now, Random: seed,
		Process: fmt.Sprintf("%s/%d", hostname(), os.Getpid()), Log: o.Log,
		Beat: o.Beat, SilentAfter: o.SilentAfter, Crowd: max(1, o.placing()/4), Live: &p.live,
		Steady: func() time.Duration { return p.steady().Sub(began) }, LimitTime: p.limitTime(o), Ended: o.attemptEnded(),
	})
}

func hostname() string {
	host, err := os.Hostname()
	if err != nil {
		return "unnamed"
	}
	return host
}

// limitTime is the clock for calls per second. On PostgreSQL it is the database's, which all
// processes share and a zero time stands for.
func (p *parts) limitTime(o Options) func() time.Time {
	if o.Database == "" {
		return p.steady
	}
	return func() time.Time { return time.Time{} }
}

// beatTime is the clock for the heartbeats of reviews. On PostgreSQL it is the database's, which a
// zero time stands for; on SQLite it is the wall clock, which goes on over a restart.
func (p *parts) beatTime(o Options) func() time.Time {
	if o.Database == "" {
		return o.Now
	}
	return func() time.Time { return time.Time{} }
}

func (p *parts) newReviews(o Options) *review.Service {
	return review.New(review.Options{
		Store: store.As[review.Tx](p.store), Recordings: p.recordings,
		Transcriber: p.speech.Transcriber(), Deps: p.scoreDeps(),
		Settled: p.callSettled, Rush: func() bool { return p.callLogs.Busy() }, Now: o.Now, BeatTime: p.beatTime(o), RecordWait: o.RecordWait, Log: o.Log,
		Outside: p.outside, Shelf: p.recordings, NewID: store.NewID, FeelEngine: feelEngine, FeelingModel: p.feelingModel(o),
		Fetched: o.recordingFetched(),
		Feel: func(t review.Talk) call.Feeling {
			return p.feelings.Feel(emotion.Input{Turns: t.Turns, Timed: t.Timed, Caller: t.Caller, End: t.End, Length: t.Length})
		},
	})
}

// feelingModel is the language model that judges feelings too, nil when none is to.
func (p *parts) feelingModel(o Options) chat.Model {
	if !o.JudgeFeeling {
		return nil
	}
	return p.speech.ReviewingModel()
}

// feelEngine names all that judges feelings.
const feelEngine = emotion.WordsEngine + "; " + emotion.BehaviourEngine + "; " + emotion.VoiceEngine

// callSettled passes a settled call from review to everybody who follows it, in the same
// transaction.
func (p *parts) callSettled(ctx context.Context, tx review.Tx, c call.Call, r call.Review, told call.Reported) error {
	watched, ok := tx.(monitor.Tx)
	if !ok {
		return fmt.Errorf("a transaction of the review is no %T", watched)
	}
	if err := p.monitor.Settled(ctx, watched, c, r, told); err != nil {
		return err
	}
	seen, ok := tx.(experiment.Tx)
	if !ok {
		return fmt.Errorf("a transaction of the review is no %T", seen)
	}
	return p.experiments.CallSettled(ctx, seen, c)
}

// refreshFigures brings the figures of monitoring up to date with the calls that were settled.
func (p *parts) refreshFigures(ctx context.Context) error {
	for {
		if more, err := p.monitor.Refresh(ctx); err != nil || !more {
			return err
		}
	}
}

// How often the periodic work is looked after.
const (
	reapEvery = 5 * time.Second
	trimEvery = 10 * time.Minute
	// figuresEvery is how far the figures of monitoring may lie behind the calls.
	figuresEvery = 5 * time.Second
	// roomsEvery is how soon a caller comes to an agent that has joined its room.
	roomsEvery = time.Second
	// sweepEvery is how often the service looks for recordings that a crash left behind.
	sweepEvery = time.Minute
	// looks is how often the dead are looked for, at least, while they may be silent.
	looks = 6
)

// newQueue makes the queue and connects its jobs and periodic work with the services.
func (p *parts) newQueue(o Options) (*queue.Queue, error) {
	reviewing := o.Reviewing
	if reviewing == 0 {
		reviewing = runtime.NumCPU()
	}
	reaping := reapEvery
	if o.SilentAfter > 0 {
		reaping = min(reaping, o.SilentAfter/looks)
	}
	var q *queue.Queue
	q, err := queue.New(queue.Options{
		Engine: p.engine, Log: o.Log, Now: p.steady, Beat: o.Beat, SilentAfter: o.SilentAfter, Worked: o.jobWorked(),
		Workers: map[string]queue.Worker{
			experiment.JobPlace:   {Run: p.place, Max: o.placing()},
			experiment.JobReview:  {Run: p.review, Max: reviewing},
			review.JobReviewLog:   {Run: p.afterIntake(p.review), Max: reviewing, Lasts: true},
			review.JobReviewPast:  {Run: p.afterIntake(p.review), Max: reviewing, Lasts: true},
			calllog.JobSpread:     {Run: p.afterIntake(p.callLogs.Spread), Max: 1, Lasts: true},
			calllog.JobSpreadPast: {Run: p.afterIntake(p.callLogs.SpreadPast), Max: 1, Lasts: true},
			calllog.JobErase:      {Run: p.erase, Max: erasing, Resumes: true},
			calllog.JobRelink:     {Run: outlasting(p.callLogs.Relink), Max: 1},
			review.JobFetch:       {Run: p.fetchRecording, Max: fetching + standing},
			review.JobFetchPast:   {Run: p.fetchRecording, Max: fetching},
			review.JobDiscard:     {Run: p.discard, Max: 1},
			review.JobReplay:      {Run: outlasting(p.replay), Max: 1, Resumes: true},
		},
		Periodic: []queue.Periodic{
			{Name: "end dead attempts", Every: reaping, Run: p.experiments.Reap},
			{Name: "look after rooms", Every: roomsEvery, Run: p.experiments.KeepRooms},
			{Name: "take up stalled reviews", Every: reapEvery, Run: func(ctx context.Context) error { return p.rescueReviews(ctx, q.Backlog) }},
			{Name: "remove recordings nobody keeps", Every: sweepEvery, Run: p.archive.Sweep},
			{Name: "trim events", Every: trimEvery, Run: p.store.Trim},
			{Name: "refresh monitoring figures", Every: figuresEvery, Run: p.refreshFigures},
		},
	})
	return q, err
}

// placing is how many calls may be on the lines of this process, or wait in it for their limits.
func (o Options) placing() int { return cmp.Or(o.Placing, 200) }

// place is the job that puts a call on the line.
func (p *parts) place(ctx context.Context, callID string) error {
	err := p.experiments.Place(ctx, callID)
	var again experiment.TryAgain
	if errors.As(err, &again) {
		return queue.Snooze(again.After)
	}
	return err
}

const (
	// fetching is how many recordings are fetched at a time.
	fetching = 8
	// standing is how many more may be on their way that hardly move.
	standing = 56
)

// fetchRecording is the job that gets the recording of a production call.
func (p *parts) fetchRecording(ctx context.Context, callID string) error {
	return putOff(p.reviews.Fetch(ctx, callID))
}

// replay is the job that reviews history again.
func (p *parts) replay(ctx context.Context, id string) error {
	return putOff(p.reviews.Replay(ctx, id))
}

// review is the job that reviews a call that is over.
func (p *parts) review(ctx context.Context, callID string) error {
	return putOff(p.reviews.Review(ctx, callID))
}

// putOff translates an error that asks for a later try into the queue's.
func putOff(err error) error {
	var wait review.Wait
	if errors.As(err, &wait) {
		return queue.Snooze(wait.After)
	}
	return err
}

// How long the review of a production call lets arriving call logs go first.
const (
	intakePause  = 100 * time.Millisecond
	intakeRounds = 20
)

// afterIntake is a job for production calls that lets arriving call logs go first: when many arrive
// at once they are all stored, and looked at later.
func (p *parts) afterIntake(run queue.Handler) queue.Handler {
	return func(ctx context.Context, id string) error {
		if err := p.letPass(ctx); err != nil {
			return err
		}
		return run(ctx, id)
	}
}

// letPass waits while many call logs arrive, but not for long.
func (p *parts) letPass(ctx context.Context) error {
	pause := time.NewTicker(intakePause)
	defer pause.Stop()
	for range intakeRounds {
		if !p.callLogs.Busy() {
			break
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// reviewSilence is how long a review may show no sign of life when its turn has come.
const reviewSilence = time.Minute

func (p *parts) rescueReviews(ctx context.Context, backlog func(context.Context) ([]queue.Waiting, error)) error {
	waiting, err := backlog(ctx)
	if err == nil {
		_, err = p.reviews.Rescue(ctx, silenceAllowed(waiting))
	}
	return err
}

// silenceAllowed is how long a review may show no sign of life before it is queued again. It grows
// with the queue: a review whose turn has not come shows none, and a second job for it would be one
// too many.
func silenceAllowed(waiting []queue.Waiting) time.Duration {
	longest := time.Duration(0)
	for _, w := range waiting {
		switch w.Kind {
		case review.JobReview, review.JobReviewLog, review.JobReviewPast:
			longest = max(longest, w.Oldest)
		}
	}
	return longest + reviewSilence
}

func (p *parts) scoreDeps() score.Deps {
	model := p.speech.ReviewingModel()
	if model == nil {
		return score.Deps{}
	}
	return score.Deps{Judge: judge.With(model), JudgeName: model.Name()}
}
