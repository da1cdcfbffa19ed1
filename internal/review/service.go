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

// Options configure a Service. Without a Transcriber no words are known, and simulated calls in
// which the agent spoke cannot be reviewed.
type Options struct {
	Store       Store
	Recordings  Recordings
	Transcriber Transcriber
	// Deps are passed to score.Build.
	Deps score.Deps
	// Outside and Shelf fetch and store the recordings of production calls. Without them, those are
	// reviewed by their transcripts.
	Outside Outside
	Shelf   Shelf
	// Feel judges how the caller felt, with the engine of that name and version; nil leaves this out.
	Feel       func(Talk) call.Feeling
	FeelEngine string
	// FeelingModel is also asked for the feeling in production calls; nil for none.
	FeelingModel chat.Model
	NewID        func(prefix string) string
	// Settled is called for every settled call, within the transaction. Optional.
	Settled Settled
	// Rush reports whether many call logs are arriving, for which a replay pauses; nil means never.
	Rush func() bool
	Now  func() time.Time
	// BeatTime returns the time used by beats; Now if nil. A zero time means the database's own, so
	// that one process with a wrong clock cannot make others' reviews look stalled.
	BeatTime func() time.Time
	// RecordWait is how long after the end of a call scorers wait for the agent's own record (default
	// 30 s).
	RecordWait time.Duration
	// BeatEvery is how often a running review records that it is being worked on (default 10 s).
	BeatEvery time.Duration
	// Tries is how often the review of a call may fail in this process before the call is given up
	// (default 4, one less than the queue's tries of a job).
	Tries int
	// PreviewTime limits how long a preview of a scorer takes (default 20 s).
	PreviewTime time.Duration
	// Fetched is called after every try to fetch the recording of a production call. Optional.
	Fetched func(Fetched)
	Log     *slog.Logger
}

// Fetched is the result of a try to fetch a recording.
type Fetched struct {
	// Had says that the recording was fetched, GivenUp that it will not be tried again.
	Had, GivenUp bool
	// Bytes is the size of the stored recording.
	Bytes int64
}

// Service reviews calls. Its only state is what is running and how often each review failed, so any
// number of processes may review at once.
type Service struct {
	o      Options
	ledger *ledger
	hush   *hush
	// decoding holds one element for each recording being decoded.
	decoding chan struct{}
	// long holds an element while a long one of them is decoded.
	long chan struct{}
	// house is the part of the basis that all reviews of this process share.
	house string
}

// New returns a Service.
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
