package calllog

import (
	"bytes"
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

// The kinds of jobs that this package asks for.
const (
	// JobReview looks at a test call once more; its id is the call's.
	JobReview = "review"
	// JobReviewLog looks at a production call. They are jobs of their own, so that
	// no test waits behind the reviews of everything that was imported.
	JobReviewLog = "review_log"
	// JobSpread stands for the JobReviewLog of many calls; its id is theirs, with blanks between.
	JobSpread = "spread"
	// JobReviewPast and JobSpreadPast are the same of calls of the past, so that no call
	// of now waits behind a history that is imported.
	JobReviewPast = "review_past"
	JobSpreadPast = "spread_past"
	// JobErase removes what must not be kept of a call's sound, and what the database has left of
	// rows that went; its id is the folder of the call's recordings, with a slash behind it, or the
	// key of one, and that of the call itself where no recording goes.
	JobErase = "erase"
	// JobRelink gives an agent the calls that came before it did; its id is the agent's.
	JobRelink = "relink"
)

// Options are what a Service is built from. All are needed unless they say otherwise.
type Options struct {
	Store Store
	// Readers are the providers that can be read, by name.
	Readers map[string]Reader
	// Aliases lead other names of providers to ours; may be nil.
	Aliases map[string]string
	NewID   func(prefix string) string
	Now     func() time.Time
	// Relinked is told of calls that were given to an agent later, and Erased of a
	// call of which less may be kept than was, inside the transaction; nil tells nobody.
	Relinked func(ctx context.Context, tx Tx, agentID string, callIDs []string) error
	Erased   func(ctx context.Context, tx Tx, callID string) error
	// Arrived is told of every submission, and of what became of it; Stored how many one
	// transaction has stored. nil tells nobody.
	Arrived func(Arrival)
	Stored  func(submissions int)
}

// Arrival is what may be told of a submission: nothing in it is the client's own word.
type Arrival struct {
	// Provider is one of those that can be read, "" where the submission names none of them.
	Provider string
	// Duplicate says that its call was submitted before.
	Duplicate bool
	// Refused is why nothing was stored, nil when it was.
	Refused error
}

// Service takes in call logs. Its methods are safe for concurrent use.
type Service struct {
	Options
	lane *lane
	room room
	// memories holds *strictjson.Memory: bodies arrive by the thousand.
	memories sync.Pool
	// crowdAt is when a transaction last stored manyAtOnce, in Unix nanoseconds.
	crowdAt atomic.Int64
	// restAt is when there was last nothing left to store.
	restAt atomic.Int64
}

const (
	// manyAtOnce is how many submissions one transaction stores when more arrive than one after the other could be stored.
	manyAtOnce = 5
	// crowdLasts is how long after such a transaction the next is to be expected.
	crowdLasts = 250 * time.Millisecond
	// pauseLasts is for how long there may be nothing to store in a rush: clients that
	// wait for their answers send again sooner.
	pauseLasts = 50 * time.Millisecond
)

// Busy reports whether submissions arrive faster than one by one, so that work
// that can wait should. A transaction with few is no sign that the rush is over:
// while one is at work there may be a moment in which hardly any has come. Nor is
// one that takes long: where the machine or the disk has more to do than it can,
// work that did not wait would slow down the next one still more. But
// between groups that come one at a time, however often, there is time for other
// work; and a clock that was set back is no rush.
func (s *Service) Busy() bool {
	now := s.Now().UnixNano()
	within := func(at *atomic.Int64, lasts time.Duration) bool { return time.Duration(now-at.Load()).Abs() < lasts }
	inHand := s.lane.inHand()
	return inHand >= manyAtOnce || within(&s.crowdAt, crowdLasts) && (inHand > 0 || within(&s.restAt, pauseLasts))
}

// maxAtWork bounds how many bytes of bodies are worked on at the same time.
const maxAtWork = 64 << 20

// patience is how long a body waits for its turn to be read.
const patience = 5 * time.Second

// New returns a Service.
func New(o Options) *Service {
	s := &Service{Options: o, room: room{free: maxAtWork}}
	s.Store.ReadBodies(s.told)
	s.lane = &lane{commit: s.commit, rests: func() { s.restAt.Store(s.Now().UnixNano()) }}
	return s
}

// submission is an envelope that has been read.
type submission struct {
	provider string
	// testCall is what metadata.ringtrue_call says, "" when it says nothing.
	testCall        string
	metadata        map[string]any
	externalAgentID string
	record          Record
}

// whole is the record with what stands beside the payload.
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
	if r.AgentName == "" { // the client may tell what the platform does not
		r.AgentName = lenient.Word(sub.metadata[agentNameKey], lenient.MaxName)
	}
	return r
}

// Accept checks a submission and stores it; when it returns without an error
// everything is on disk. The record of a test call joins that call, any other
// becomes a production call. A call that was submitted before keeps its id,
// and a later record of it that is not the same is added. When more arrives
// than can be stored, the error is a problem.Unavailable. The body is the
// caller's again afterwards, whatever became of it.
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

// accept is Accept, and tells the provider that the submission names.
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

// read parses and checks the body; all its mistakes come back at once, with the
// provider as far as it is known.
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

// told is what a body tells that was accepted before, under the name of its
// provider that it had then. Whatever would be refused of it today, it stays.
func (s *Service) told(provider string, body []byte) (Record, error) {
	memory := s.memory()
	defer s.giveBack(memory)
	o, err := lenient.Parse(body, memory)
	if err != nil {
		return Record{}, fmt.Errorf("a body that was accepted: %w", err)
	}
	// It is as a record that was written and is read again, to the last number.
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

// memory is where the values of a body stand while it is read, until giveBack.
func (s *Service) memory() *strictjson.Memory {
	if m, ok := s.memories.Get().(*strictjson.Memory); ok {
		return m
	}
	return new(strictjson.Memory)
}

// giveBack has the memory used for the next body. What was read of the last one is its own by then.
func (s *Service) giveBack(m *strictjson.Memory) {
	m.Forget()
	s.memories.Put(m)
}

// submission reads the envelope, whose text is of the given size, and notes what is wrong with it.
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
		sub.record = reader(payload)
		sub.record = sub.record.Under(sub.record.Keep.Stricter(lenient.KeepBeside(o)))
		if sub.provider == Custom {
			s.noteAhead(payload, sub.record)
		}
	}
	return sub
}

// noteAhead notes the times of a finished call that have not come yet. A platform's
// client cannot mend them; see when.
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

// longestEscape is by how much a text grows at most when it is written anew.
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
		// An agent that was met in a room may know the call by the room's name.
		sub.testCall = strings.TrimPrefix(metadata.Text(testCallKey, lenient.MaxName), "ringtrue-")
	}
}
