package review

import (
	"log/slog"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/score"
)

// The defaults of Options.
const (
	defaultRecordWait = 30 * time.Second
	defaultBeatEvery  = 10 * time.Second
	defaultTries      = 4
)

// Options are what a review works with. Transcriber may be nil: then no words
// are known and calls in which the agent spoke cannot be reviewed.
type Options struct {
	Store       Store
	Recordings  Recordings
	Transcriber Transcriber
	// Deps are handed to score.Build.
	Deps score.Deps
	// Outside and Shelf get and keep the recordings of production calls; without
	// them those are reviewed on their transcripts.
	Outside Outside
	Shelf   Shelf
	// Feel finds out how the caller felt, by the engine of that name and version;
	// nil leaves that open.
	Feel       func(Talk) call.Feeling
	FeelEngine string
	// FeelingModel is asked for the feeling of production calls too; nil asks nobody.
	FeelingModel chat.Model
	NewID        func(prefix string) string
	// Settled is told of every settled call, inside the transaction; nil tells nobody.
	Settled Settled
	// Rush tells that many call logs arrive at once, which a replay lets pass; nil is never.
	Rush func() bool
	Now  func() time.Time
	// BeatTime is the time by which reviews say that they are at work, Now when nil. A zero
	// one is the database's own: of several processes, one's clock must not have others' reviews stand still.
	BeatTime func() time.Time
	// RecordWait is how long after the end of a call scorers wait for the
	// agent's own record (default 30 s).
	RecordWait time.Duration
	// BeatEvery is how often a review at work says so (default 10 s).
	BeatEvery time.Duration
	// Tries is how often the review of a call may fail in this process before
	// the call is given up (default 4, one less than the queue tries a job).
	Tries int
	// PreviewTime is how long a preview of a scorer may take (default 20 s).
	PreviewTime time.Duration
	// Fetched is told of every try to get the recording of a production call; nil tells nobody.
	Fetched func(Fetched)
	Log     *slog.Logger
}

// Fetched is what may be told of a try to get a recording.
type Fetched struct {
	// Had says that the recording was got, GivenUp that it will not be tried again.
	Had, GivenUp bool
	// Bytes is how much of it is kept.
	Bytes int64
}

// Service reviews calls. All it remembers is what it is at work on and how
// often each review failed: any number of processes may review at once.
type Service struct {
	o      Options
	ledger *ledger
	hush   *hush
	// decoding holds one place for each recording that is decoded.
	decoding chan struct{}
	// long is held by the one of them that is long.
	long chan struct{}
	// house names what all reviews of this process rest on.
	house string
}

// New returns the service.
func New(o Options) *Service {
	if o.RecordWait == 0 {
		o.RecordWait = defaultRecordWait
	}
	if o.BeatTime == nil {
		o.BeatTime = o.Now
	}
	if o.BeatEvery == 0 {
		o.BeatEvery = defaultBeatEvery
	}
	if o.PreviewTime == 0 {
		o.PreviewTime = defaultPreviewTime
	}
	if o.Tries == 0 {
		o.Tries = defaultTries
	}
	if o.Rush == nil {
		o.Rush = func() bool { return false }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Store = watched{o.Store}
	return &Service{o: o, ledger: newLedger(), hush: newHush(), decoding: make(chan struct{}, decoding), long: make(chan struct{}, 1), house: o.house()}
}
