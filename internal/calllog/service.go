package calllog

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// The names of the providers.
const (
	Custom    = "custom"
	PlatformA = "platform_a"
	PlatformB = "platform_b"
)

// The kinds of jobs that this package enqueues.
const (
	// JobReview reviews a test call again; its id is the call's.
	JobReview = "review"
	// JobReviewLog reviews a production call. It is a kind of its own, so that no test call waits
	// behind the reviews of an import.
	JobReviewLog = "review_log"
	// JobSpread stands for the JobReviewLog of many calls; its id is their ids, separated by spaces (spreadID).
	JobSpread = "spread"
	// JobReviewPast and JobSpreadPast are the same for calls of the past, so that no current call waits
	// behind an imported history.
	JobReviewPast = "review_past"
	JobSpreadPast = "spread_past"
	// JobErase removes audio that may not be kept, and what the database has left of deleted rows. Its
	// id is the folder of the call's recordings with a trailing slash, or the key of one recording; it
	// is the call's id where no recording is removed.
	JobErase = "erase"
	// JobRelink runs Relink; its id is the agent's.
	JobRelink = "relink"
)

// Options configure a Service. Fields are required unless marked as optional.
type Options struct {
	Store Store
	// Readers are the known providers' readers, by name.
	Readers map[string]Reader
	// Aliases map other names of providers to ours. Optional.
	Aliases map[string]string
	NewID   func(prefix string) string
	Now     func() time.Time
	// Relinked is called when calls were linked to an agent later, Erased when less of a call may be
	// kept than before; both within the transaction. Optional.
	Relinked func(ctx context.Context, tx Tx, agentID string, callIDs []string) error
	Erased   func(ctx context.Context, tx Tx, callID string) error
	// Arrived is called for every submission with its result, Stored with the number that one
	// transaction stored. Optional.
	Arrived func(Arrival)
	Stored  func(submissions int)
}

// Arrival is what may be published about a submission: nothing in it is the client's own text.
type Arrival struct {
	// Provider is a known provider, "" if the submission names none.
	Provider string
	// Duplicate says that the call had been submitted before.
	Duplicate bool
	// Refused is why nothing was stored, nil when it was.
	Refused error
}

// Service takes in call logs. Its methods are safe for concurrent use.
type Service struct {
	Options
	lane *lane
	room room
	// memories pools *strictjson.Memory: bodies arrive by the thousand.
	memories sync.Pool
	// crowdAt is when a transaction last stored manyAtOnce or more, in Unix nanoseconds.
	crowdAt atomic.Int64
	crowds  crowds
	// restAt is when nothing was last left to store, in Unix nanoseconds.
	restAt atomic.Int64
}

const (
	// manyAtOnce is how many submissions in one transaction show that they arrive faster than one by
	// one.
	manyAtOnce = 5
	// crowdLasts is how long after such a transaction another is expected.
	crowdLasts = 250 * time.Millisecond
	// pauseLasts is how long a rush may have nothing to store: clients that wait for their answers send
	// again sooner.
	pauseLasts = 50 * time.Millisecond
)

// Busy reports whether submissions arrive faster than one by one, so that other work should wait. A
// small group does not end a rush, because hardly any submission may have arrived while the one
// before was stored; neither does a slow one, because other work would slow down an overloaded
// machine or disk even more. Groups that come one at a time leave time for other work, however
// often they come. A clock that was set back is no rush.
func (s *Service) Busy() bool {
	now := s.Now().UnixNano()
	within := func(at *atomic.Int64, lasts time.Duration) bool { return time.Duration(now-at.Load()).Abs() < lasts }
	inHand := s.lane.inHand()
	return inHand >= manyAtOnce || within(&s.crowdAt, crowdLasts) && (inHand > 0 || within(&s.restAt, pauseLasts))
}

// maxAtWork limits the total size in bytes of the bodies processed at the same time.
const maxAtWork = 64 << 20

// patience is how long a body waits for room.
const patience = 5 * time.Second

// New returns a Service.
func New(o Options) *Service {
	s := &Service{Options: o, room: room{free: maxAtWork}}
	s.Store.ReadBodies(s.told)
	s.lane = &lane{commit: s.commit, rests: func() { s.restAt.Store(s.Now().UnixNano()) }}
	return s
}

// submission is a parsed envelope.
type submission struct {
	provider string
	// testCall is metadata.ringtrue_call, "" if absent.
	testCall        string
	metadata        map[string]any
	externalAgentID string
	// match is how to find the call among the test calls, also by numbers that may not be kept.
	match  Match
	record Record
}

// whole returns the record together with what stands beside the payload.
func (sub submission) whole() Record {
	r := sub.record
	r.Provider, r.ExternalAgentID = sub.provider, sub.externalAgentID
	switch {
	case len(sub.metadata) == 0:
	case len(r.Metadata) == 0:
		r.Metadata = sub.metadata
	default:
		r.Metadata = maps.Clone(r.Metadata)
		maps.Copy(r.Metadata, sub.metadata)
	}
	if r.Keep != KeepEverything {
		r.Metadata = aboutAgent(r.Metadata)
	}
	if r.AgentName == "" { // a client may name the agent where the platform does not
		r.AgentName = lenient.Word(sub.metadata[agentNameKey], lenient.MaxName)
	}
	return r
}

// Accept checks and stores a submission; when it returns no error, everything is on disk. The
// record of a test call is added to that call, any other becomes a production call. A call that was
// submitted before keeps its id, and a further record that differs is added to it. Under overload,
// the error is a problem.Unavailable. The body is not retained.
func (s *Service) Accept(ctx context.Context, workspaceID string, body []byte) (Accepted, error) {
	provider, accepted, err := s.accept(ctx, workspaceID, body)
	if s.Arrived != nil {
		if _, known := s.Readers[provider]; !known {
			provider = ""
		}
		s.Arrived(Arrival{Provider: provider, Duplicate: accepted.Duplicate, Refused: err})
	}
	return accepted, err
}

// accept is Accept, and also returns the provider that the submission names.
func (s *Service) accept(ctx context.Context, workspaceID string, body []byte) (provider string, accepted Accepted, err error) {
	body = lenient.WithoutMark(body)
	size := min(len(body), maxAtWork)
	if err := s.room.enter(ctx, size, patience); err != nil {
		return "", Accepted{}, err
	}
	defer s.room.leave(size)
	sub, err := s.read(body)
	if err != nil {
		return sub.provider, Accepted{}, err
	}
	a, err := s.arrive(ctx, workspaceID, sub, body)
	if err != nil {
		return sub.provider, Accepted{}, err
	}
	accepted, err = s.lane.put(ctx, a)
	return sub.provider, accepted, err
}

const testCallKey = "ringtrue_call"

// read parses and checks the body. An error holds all its mistakes; the submission then holds just
// the provider, as far as it is known.
func (s *Service) read(body []byte) (submission, error) {
	memory := s.memory()
	defer s.giveBack(memory)
	o, err := lenient.Parse(body, memory)
	if err != nil {
		return submission{}, err
	}
	provider := o.Text("provider", lenient.MaxName)
	if ours, ok := s.Aliases[provider]; ok {
		provider = ours
	}
	sub := s.submission(o, provider, len(body))
	if err := o.Err(); err != nil {
		return submission{provider: provider}, err
	}
	return sub, nil
}

// told returns the record of a body that was accepted before, for the provider as named then.
// Mistakes that would be refused today are ignored.
func (s *Service) told(provider string, body []byte) (Record, error) {
	memory := s.memory()
	defer s.giveBack(memory)
	o, err := lenient.Parse(body, memory)
	if err != nil {
		return Record{}, fmt.Errorf("a body that was accepted: %w", err)
	}
	// Encoding and decoding gives the same record, to the last number, as one that was stored as JSON.
	text, err := encode(s.submission(o, provider, len(body)).whole())
	if err != nil {
		return Record{}, fmt.Errorf("write the record: %w", err)
	}
	var r Record
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&r)
	return r, err
}

// memory returns memory for the values of a body, to be returned with giveBack.
func (s *Service) memory() *strictjson.Memory {
	if m, ok := s.memories.Get().(*strictjson.Memory); ok {
		return m
	}
	return new(strictjson.Memory)
}

// giveBack returns memory for the next body. What was read from the last one must no longer refer
// to it.
func (s *Service) giveBack(m *strictjson.Memory) {
	m.Forget()
	s.memories.Put(m)
}

// submission reads the envelope, whose text has the given size in bytes, and notes its mistakes.
func (s *Service) submission(o lenient.Object, provider string, size int) submission {
	sub := submission{provider: provider}
	readMetadata(o, &sub, size)
	if o.Has("externalAgentId") {
		sub.externalAgentID = strings.TrimSpace(o.Text("externalAgentId", lenient.MaxName))
	}
	o.Respelt("provider", "metadata", "payload", "externalAgentId")
	payload, hasPayload := o.Object("payload")
	reader, known := s.Readers[sub.provider]
	switch {
	case sub.provider == "":
	case !known:
		o.Note("provider", "must be "+strings.Join(slices.Sorted(maps.Keys(s.Readers)), " or "))
	case hasPayload:
		r := reader(payload)
		sub.match = Match{CallID: cmp.Or(sub.testCall, r.TestCall), From: r.From, To: r.To, StartedAt: r.StartedAt}
		sub.record = r.Under(r.Keep.Stricter(lenient.KeepBeside(o)))
		if sub.provider == Custom {
			s.noteAhead(payload, sub.record)
		}
	}
	return sub
}

// noteAhead notes times that lie in the future, which a finished call cannot have. Only clients can
// mend theirs; for platforms see when.
func (s *Service) noteAhead(payload lenient.Object, r Record) {
	const message = "must not lie in the future: a call log is of a finished call"
	soon := s.Now().Add(maxAhead)
	if r.StartedAt.After(soon) {
		payload.Note("start_timestamp", message)
	}
	if r.EndedAt.After(soon) {
		payload.Note("end_timestamp", message)
	}
}

// longestEscape is the greatest factor by which re-encoding lengthens a text.
const longestEscape = 6

func readMetadata(o lenient.Object, sub *submission, size int) {
	if !o.Has("metadata") {
		return
	}
	metadata, ok := o.Object("metadata")
	if !ok {
		return
	}
	sub.metadata = metadata.Whole()
	if longestEscape*size > lenient.MaxMetadata && lenient.TooLong(sub.metadata) {
		o.Note("metadata", "must not be longer than "+strconv.Itoa(lenient.MaxMetadata)+" bytes")
	}
	if metadata.Has(testCallKey) {
		// An agent that joined a room may know the call by the room's name.
		sub.testCall = strings.TrimPrefix(metadata.Text(testCallKey, lenient.MaxName), roomPrefix)
	}
}
