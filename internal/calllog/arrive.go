package calllog

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

const (
	// maxSubmissions bounds how many different submissions of one call are kept.
	maxSubmissions = 200
	// maxTogether bounds how many bytes they are together, when there are more than
	// fewSubmissions: all are read for each that comes, while no other call is stored.
	maxTogether    = 16 << 20
	fewSubmissions = 3
)

// arrival is a submission on its way into the database.
type arrival struct {
	ctx context.Context //nolint:containedctx // the request's, for its idempotency key; many requests share a transaction
	key Key
	// record is what may be kept of the submission, packed that and its body as they
	// are stored, digest what tells it apart.
	record Record
	packed []byte
	digest string
	// size is how many bytes are kept of it, unpacked.
	size int
	// match is how the call may be found among the test calls; names says that it names its test call.
	match  Match
	names  bool
	result result
	answer chan result
}

type result struct {
	accepted Accepted
	err      error
}

// arrive prepares everything that can be prepared outside of a transaction.
// What must not be kept goes here, before anything is written.
func (s *Service) arrive(ctx context.Context, workspaceID string, sub submission, body []byte) (*arrival, error) {
	r := sub.whole()
	a := &arrival{
		ctx: ctx, key: Key{workspaceID, sub.provider, r.ExternalID},
		match:  Match{CallID: cmp.Or(sub.testCall, r.TestCall), From: r.From, To: r.To, StartedAt: r.StartedAt},
		names:  sub.testCall != "",
		answer: make(chan result, 1),
	}
	a.match.CallID = strings.TrimPrefix(a.match.CallID, "ringtrue-")
	if r.Keep != KeepEverything {
		return a, s.keep(a, r, r.Keep)
	}
	a.record, a.packed, a.digest, a.size = r, s.Store.Pack(nil, body), digestOf(body), len(body)
	return a, nil
}

// keep makes the record what may be kept of it. The body may not.
func (s *Service) keep(a *arrival, r Record, keep Keep) (err error) {
	a.record = redacted(r, keep)
	a.packed, a.digest, err = s.pack(a.record)
	return err
}

// pack is a record without its body as it is stored, and the digest that tells it apart.
func (s *Service) pack(r Record) (packed []byte, digest string, err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, "", fmt.Errorf("write the record: %w", err)
	}
	return s.Store.Pack(text, nil), digestOf(text), nil
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// commit stores a group in one transaction and answers its requests. When the
// transaction fails for a reason of its own, each submission is tried alone, so
// that one cannot spoil the others.
func (s *Service) commit(group []*arrival) {
	err := s.writeGroup(group)
	if len(group) >= manyAtOnce {
		s.crowdAt.Store(s.Now().UnixNano())
	}
	if err == nil && s.Stored != nil {
		s.Stored(len(group))
	}
	if err != nil && len(group) > 1 && !problem.Is(err, problem.Unavailable) {
		for _, a := range group {
			s.commit([]*arrival{a})
		}
		return
	}
	for _, a := range group {
		if err != nil {
			a.result = result{err: err}
		}
		a.answer <- a.result
	}
}

// writeGroup is the transaction. It outlives the requests: one that goes away
// must not take the others along.
func (s *Service) writeGroup(group []*arrival) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("storing call logs panicked: %v", cause)
		}
	}()
	ctx := context.WithoutCancel(group[0].ctx)
	return s.Store.Write(ctx, func(tx Tx) error {
		w := &writing{
			Service: s, tx: tx, agents: map[AgentRef]string{},
			calls: make([]call.Call, 0, len(group)), submissions: make([]Submission, 0, len(group)), reviews: make([]string, 0, len(group)),
		}
		return w.all(ctx, group)
	})
}

// writing is one transaction that stores a group. What all new calls need is
// gathered and written at the end, at once.
type writing struct {
	*Service
	tx          Tx
	calls       []call.Call
	submissions []Submission
	// reviews are the production calls to be looked at, past those of them that are of the
	// past, tests the test calls.
	reviews, past, tests []string
	// agents are those that were looked up, "" for one that there is not.
	agents map[AgentRef]string
}

func (w *writing) all(ctx context.Context, group []*arrival) error {
	keys, arrivals := make([]Key, len(group)), make([]Arriving, len(group))
	for i, a := range group {
		ref, _ := agentRef(a.record)
		keys[i], arrivals[i] = a.key, Arriving{a.key, a.match, ref}
	}
	if err := w.tx.LockArrivals(ctx, keys); err != nil {
		return err
	}
	known, err := w.tx.Known(ctx, arrivals)
	if err != nil {
		return err
	}
	for _, a := range arrivals {
		ref := AgentRef{a.Key.WorkspaceID, a.AgentRef}
		w.agents[ref] = known.Agents[ref]
	}
	for _, i := range inOrder(group, known.Arrived) {
		a := group[i]
		accepted, err := w.one(ctx, a, known.Arrived[a.key], known.MayBeTest[i])
		if err != nil && !isAnswer(err) {
			return err
		}
		a.result = result{accepted, err}
	}
	return w.flush(ctx)
}

// inOrder are the places of a group's arrivals in the order of the calls that there
// are already. Each is held until the end; whoever holds several takes them in
// this order, so that no two wait for each other.
func inOrder(group []*arrival, known map[Key][]Arrived) []int {
	places := make([]int, len(group))
	for i := range places {
		places[i] = i
	}
	call := func(i int) string {
		if before := known[group[i].key]; len(before) > 0 {
			return before[0].CallID
		}
		return ""
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(call(a), call(b)) })
	return places
}

// isAnswer reports whether an error is the answer to one submission, for which
// nothing has been written: the others of the group go on.
func isAnswer(err error) bool {
	var answer refusal
	return errors.As(err, &answer)
}

// refusal is an error of one submission that comes before it has written anything.
type refusal struct{ error }

// Unwrap is the error itself.
func (r refusal) Unwrap() error { return r.error }

func (w *writing) flush(ctx context.Context) error {
	if len(w.calls) > 0 {
		if err := w.tx.InsertArrived(ctx, w.calls, !w.crowded()); err != nil {
			return err
		}
	}
	if len(w.submissions) > 0 {
		if err := w.tx.InsertSubmissions(ctx, w.submissions); err != nil {
			return err
		}
	}
	if err := w.tx.EnqueueAll(ctx, JobReview, w.tests); err != nil {
		return err
	}
	return w.enqueueReviews(ctx)
}

// look has a production call looked at.
func (w *writing) look(c *call.Call) {
	if c.IsPast() {
		w.past = append(w.past, c.ID)
	} else {
		w.reviews = append(w.reviews, c.ID)
	}
}

// crowded says that what can wait is left to Spread.
func (w *writing) crowded() bool { return len(w.reviews)+len(w.past) >= manyAtOnce }

// enqueueReviews has the production calls looked at. A job costs as much as a
// good part of the call it is for; when many arrive, one job stands for those of
// the whole group, and is taken apart when there is time (see Spread).
func (w *writing) enqueueReviews(ctx context.Context) error {
	if err := w.enqueue(ctx, w.reviews, JobReviewLog, JobSpread); err != nil {
		return err
	}
	return w.enqueue(ctx, w.past, JobReviewPast, JobSpreadPast)
}

// enqueue has calls looked at by jobs of one kind, or by one that makes them.
func (w *writing) enqueue(ctx context.Context, ids []string, review, spread string) error {
	if len(ids) == 0 || !w.crowded() {
		return w.tx.EnqueueAll(ctx, review, ids)
	}
	return w.tx.Enqueue(ctx, spread, strings.Join(ids, spreadBetween), 0)
}

// one decides what becomes of one submission.
func (w *writing) one(ctx context.Context, a *arrival, known []Arrived, mayBeTest bool) (Accepted, error) {
	if len(known) > 0 {
		return w.again(ctx, a, known)
	}
	if mayBeTest {
		test, linked, err := w.testCall(ctx, a)
		if err != nil {
			return Accepted{}, err
		}
		if linked {
			return w.join(ctx, a, test)
		}
	}
	c, err := w.production(ctx, a)
	if err != nil {
		return Accepted{}, err
	}
	if err := w.use(a, c.ID); err != nil {
		return Accepted{}, err
	}
	w.calls = append(w.calls, c)
	w.submissions = append(w.submissions, w.submission(a, c.ID))
	w.look(&c)
	return accepted(c), nil
}

// use remembers what a request with an idempotency key made.
func (w *writing) use(a *arrival, callID string) error {
	// The group outlives the request; only what the request carries is of use.
	if err := w.tx.UseKey(context.WithoutCancel(a.ctx), callID); err != nil {
		return refusal{err}
	}
	return nil
}

// testCall finds the test call a record belongs to. A record that says it is
// of a test call must not end up among the production calls.
func (w *writing) testCall(ctx context.Context, a *arrival) (call.Call, bool, error) {
	c, ok, err := w.tx.TestCall(ctx, a.key.WorkspaceID, a.match)
	if err != nil || ok || a.match.CallID == "" {
		return c, ok, err
	}
	if a.names {
		return c, false, refusal{problem.Invalid(problem.Field{Path: "metadata." + testCallKey, Message: "there is no such test call in this workspace"})}
	}
	// The payload may hold a header of that name by chance: numbers and time may still tell.
	byNumbers := a.match
	byNumbers.CallID = ""
	return w.tx.TestCall(ctx, a.key.WorkspaceID, byNumbers)
}

// production is the call that a first record makes.
func (w *writing) production(ctx context.Context, a *arrival) (call.Call, error) {
	c := call.Call{
		ID: w.NewID("call"), WorkspaceID: a.key.WorkspaceID, Origin: call.Production,
		ScoringStatus: call.ScoringPending, CreatedAt: w.Now(),
	}
	derive(&c, a.record)
	var err error
	c.AgentID, err = w.agent(ctx, &c)
	return c, err
}

// derive makes the call what its records tell together.
func derive(c *call.Call, r Record) {
	r.StartedAt, r.EndedAt = when(r, c.CreatedAt)
	c.Status, c.AnsweredAt = call.Ended, r.StartedAt
	if r.NeverAnswered {
		c.Status, c.AnsweredAt = call.Failed, time.Time{}
	}
	c.EndReason, c.From, c.To, c.StartedAt, c.EndedAt = ending(r), r.From, r.To, r.StartedAt, r.EndedAt
	c.ExternalID, c.Metadata, c.Keep = r.ExternalID, r.Metadata, r.Keep
	c.AgentRef, c.AgentInferred = agentRef(r)
}

// maxAhead is how far the clock of a client's or a platform's may be ahead of ours.
const maxAhead = 24 * time.Hour

// when is when a call began and ended. Where its record does not tell, or tells of a
// time that had not come when the first one arrived, that arrival stands in for the
// end: a call that is to begin next year would head every list until then.
func when(r Record, arrived time.Time) (start, end time.Time) {
	soon := arrived.Add(maxAhead)
	if !r.EndedAt.After(r.StartedAt) { // another record may tell how long the call was
		r.EndedAt = r.StartedAt.Add(r.Length)
	}
	switch {
	case r.StartedAt.IsZero():
		return arrived.Add(-r.Length), arrived
	case r.StartedAt.After(soon):
		return arrived.Add(r.StartedAt.Sub(later(r.StartedAt, r.EndedAt))), arrived
	case r.EndedAt.After(soon):
		return r.StartedAt, later(r.StartedAt, arrived)
	}
	return r.StartedAt, later(r.StartedAt, r.EndedAt)
}

// agentRef is what a record says of its agent; inferred means that only its platform says so.
func agentRef(r Record) (ref string, inferred bool) {
	if r.ExternalAgentID == "" && r.PlatformAgentID != "" {
		return r.PlatformAgentID, true
	}
	return r.ExternalAgentID, false
}

// ending is how the call ended. Whom an agent phones and does not reach is no
// failing of the agent's: it is the other side that was busy or did not answer.
func ending(r Record) call.EndReason {
	if r.Direction != "inbound" && Unreached(r.End.Code) {
		return r.End.Blaming(call.BlameCaller)
	}
	return r.End
}

// Unreached reports whether a call that ended so did not reach a person: the line
// was busy, nobody took the call or wanted it, or a machine did.
func Unreached(code call.EndCode) bool {
	return slices.Contains([]call.EndCode{call.EndBusy, call.EndNoAnswer, call.EndDeclined, call.EndVoicemail}, code)
}

// agent is the agent that the call's reference means, "" while there is none.
func (w *writing) agent(ctx context.Context, c *call.Call) (string, error) {
	if c.AgentRef == "" {
		return "", nil
	}
	place := AgentRef{c.WorkspaceID, c.AgentRef}
	if id, known := w.agents[place]; known {
		return id, nil
	}
	agent, _, err := w.tx.AgentBySourceID(ctx, c.WorkspaceID, c.AgentRef)
	if err == nil {
		w.agents[place] = agent.ID
	}
	return agent.ID, err
}

func (w *writing) submission(a *arrival, callID string) Submission {
	return Submission{
		ID: w.NewID("log"), WorkspaceID: a.key.WorkspaceID, Provider: a.key.Provider, ExternalID: a.key.ExternalID, CallID: callID,
		HasTranscript: a.record.HasTranscript, ReceivedAt: w.Now(), Digest: a.digest, Kind: KindLog, Packed: a.packed,
	}
}

func accepted(c call.Call) Accepted {
	a := Accepted{ID: c.ID, Status: "accepted"}
	if c.AgentID != "" {
		a.AgentID = &c.AgentID
	}
	return a
}

// acceptedAgain answers for a call that had been submitted before.
func acceptedAgain(c call.Call) Accepted {
	a := accepted(c)
	a.Duplicate = true
	return a
}
