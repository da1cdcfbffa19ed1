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
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

const (
	// maxSubmissions limits how many different submissions are kept per call.
	maxSubmissions = 200
	// maxTogether limits the total size in bytes of a call's submissions, once there are more than
	// fewSubmissions: each new one makes all of them be read, and no other call is stored meanwhile.
	maxTogether    = 16 << 20
	fewSubmissions = 3
)

// arrival is a submission on its way into the database.
type arrival struct {
	ctx context.Context //nolint:containedctx // the request's, for its idempotency key; many requests share a transaction
	key Key
	// record is what may be kept of the submission, packed is what is stored, and digest identifies it
	// among the submissions of its call.
	record Record
	packed []byte
	digest string
	// size is the length of the body in bytes, 0 if arrive did not keep the body.
	size int
	// match is how to find the call among the test calls; names says that the metadata names the test
	// call.
	match  Match
	names  bool
	result result
	answer chan result
}

type result struct {
	accepted Accepted
	err      error
}

// arrive does all the work that needs no transaction. It also removes what may not be kept, before
// anything is written.
func (s *Service) arrive(ctx context.Context, workspaceID string, sub submission, body []byte) (*arrival, error) {
	r := sub.whole()
	a := &arrival{
		ctx: ctx, key: Key{workspaceID, sub.provider, r.ExternalID},
		match: sub.match, names: sub.testCall != "",
		answer: make(chan result, 1),
	}
	if r.Keep != KeepEverything {
		return a, s.keep(a, r, r.Keep)
	}
	a.record, a.packed, a.digest, a.size = r, s.Store.Pack(nil, body), digestOf(body), len(body)
	return a, nil
}

// keep reduces the arrival to what may be kept; its body is not stored.
func (s *Service) keep(a *arrival, r Record, keep Keep) (err error) {
	a.record = redacted(r, keep)
	a.packed, a.digest, err = s.pack(a.record)
	return err
}

// pack returns a record without its body in stored form, and its digest.
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

// commit stores a group in one transaction and answers its requests. When the transaction fails,
// each submission is retried alone, so that a bad one cannot spoil the others; when the store is
// unavailable, all fail.
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

// writeGroup runs the transaction. It ignores the requests' cancellation: one that goes away must
// not take the others along.
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
			calls: make([]call.Call, 0, len(group)), submissions: make([]Submission, 0, len(group)),
		}
		return w.all(ctx, group)
	})
}

// writing is one transaction that stores a group. New rows and jobs are collected and written
// together at the end.
type writing struct {
	*Service
	tx          Tx
	calls       []call.Call
	submissions []Submission
	// reviews are the production calls to review, past those of them that lie in the past, tests the
	// test calls.
	reviews, past byUrgency
	tests         []string
	looks         int // how many production calls are to be reviewed
	// agents caches the agents looked up; "" means that there is none.
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

// inOrder returns the indexes of a group's arrivals, sorted by the calls that exist already. Calls
// stay locked until the transaction ends; since all transactions lock in this order, they cannot
// deadlock.
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

// isAnswer reports whether an error is the answer to a single submission, for which nothing was
// written, so that the rest of the group can go on.
func isAnswer(err error) bool {
	var answer refusal
	return errors.As(err, &answer)
}

// refusal is an error of one submission, returned before anything was written for it.
type refusal struct{ error }

// Unwrap returns the underlying error.
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
	if err := w.tx.EnqueueAll(ctx, JobReview, mostUrgent, w.tests); err != nil {
		return err
	}
	return w.enqueueReviews(ctx)
}

// look schedules a review of a production call.
func (w *writing) look(c *call.Call) {
	urgency, to := w.crowds.urgency(c.WorkspaceID, w.Now()), &w.reviews
	if c.IsPast() {
		to = &w.past
	}
	to[urgency] = append(to[urgency], c.ID)
	w.looks++
}

// crowded reports whether work that can wait is left to Spread.
func (w *writing) crowded() bool { return w.looks >= manyAtOnce }

// enqueueReviews adds the jobs that review production calls. A job costs nearly as much as storing
// its call, so when many calls arrive a single job stands for the group, to be split up when there
// is time (see Spread).
func (w *writing) enqueueReviews(ctx context.Context) error {
	if err := w.enqueue(ctx, w.reviews, JobReviewLog, JobSpread); err != nil {
		return err
	}
	return w.enqueue(ctx, w.past, JobReviewPast, JobSpreadPast)
}

// enqueue adds one review job per call, or, in a crowd, one job that makes them.
func (w *writing) enqueue(ctx context.Context, all byUrgency, review, spread string) error {
	for urgency, ids := range all {
		var err error
		switch {
		case len(ids) == 0:
		case w.crowded():
			err = w.tx.Enqueue(ctx, spread, spreadID(urgency, ids), 0)
		default:
			err = w.tx.EnqueueAll(ctx, review, urgency, ids)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// one stores one submission: in its known call, its test call or a new production call.
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

// use records what a request with an idempotency key made.
func (w *writing) use(a *arrival, callID string) error {
	// The transaction outlives the request; only the context's values are needed.
	ours, err := w.tx.UseKey(context.WithoutCancel(a.ctx), callID)
	if err == nil && !ours {
		err = refusal{problem.New(problem.Conflict, "the Idempotency-Key was used for another request").WithHint("use a new key for every new request")}
	}
	return err
}

// testCall finds the test call that a record belongs to. Metadata that names an unknown test call
// is refused, so that the record does not become a production call.
func (w *writing) testCall(ctx context.Context, a *arrival) (call.Call, bool, error) {
	c, ok, err := w.tx.TestCall(ctx, a.key.WorkspaceID, a.match)
	if err != nil || ok || a.match.CallID == "" {
		return c, ok, err
	}
	if a.names {
		return c, false, refusal{problem.Invalid(problem.Field{Path: "metadata." + testCallKey, Message: "there is no such test call in this workspace"})}
	}
	// The payload may carry such a header by chance; numbers and time may still match.
	byNumbers := a.match
	byNumbers.CallID = ""
	return w.tx.TestCall(ctx, a.key.WorkspaceID, byNumbers)
}

// production makes a new production call from its first record.
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

// derive sets the fields of a call from what its records say together.
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

// maxAhead is how far a client's or platform's clock may be ahead of ours.
const maxAhead = 24 * time.Hour

// when returns when a call began and ended. If its record does not say, or names a time that had
// not come yet when the first record arrived, the time of that arrival stands in for the end: a
// call dated next year would otherwise head every list until then.
func when(r Record, arrived time.Time) (start, end time.Time) {
	soon := arrived.Add(maxAhead)
	if !r.EndedAt.After(r.StartedAt) { // the length may come from another record
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

// agentRef returns a record's reference to its agent; inferred says that it comes from the
// platform only.
func agentRef(r Record) (ref string, inferred bool) {
	if r.ExternalAgentID == "" && r.PlatformAgentID != "" {
		return r.PlatformAgentID, true
	}
	return r.ExternalAgentID, false
}

// ending returns how the call ended. An agent that phones somebody and does not reach them is not
// to blame: the other side was busy or did not answer.
func ending(r Record) call.EndReason {
	if r.Direction != "inbound" && Unreached(r.End.Code) {
		return r.End.Blaming(call.BlameCaller)
	}
	return r.End
}

// Unreached reports whether an end means that no person was reached: the line was busy, nobody
// answered, the call was declined, or a machine took it.
func Unreached(code call.EndCode) bool {
	return slices.Contains([]call.EndCode{call.EndBusy, call.EndNoAnswer, call.EndDeclined, call.EndVoicemail}, code)
}

// agent returns the id of the agent that the call refers to, "" while there is none.
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

// acceptedAgain is accepted for a call that had been submitted before.
func acceptedAgain(c call.Call) Accepted {
	a := accepted(c)
	a.Duplicate = true
	return a
}
