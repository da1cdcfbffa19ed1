package calllog_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// told returns a service whose provider "custom" accepts any record, as JSON text in
// the payload.
func told(s calllog.Store) *calllog.Service {
	var mu sync.Mutex
	n := 0
	return calllog.New(calllog.Options{
		Store: s, Readers: map[string]calllog.Reader{calllog.Custom: func(o lenient.Object) (r calllog.Record) {
			text, _ := o.Raw("record").(string)
			if err := json.Unmarshal([]byte(text), &r); err != nil {
				o.Note("record", err.Error())
			}
			return r
		}},
		NewID: func(prefix string) string {
			mu.Lock()
			defer mu.Unlock()
			n++
			return fmt.Sprintf("%s_%04d", prefix, n)
		},
		Now: func() time.Time { return received },
	})
}

// telling returns a submission of the record.
func telling(t *testing.T, r calllog.Record, metadata map[string]any) []byte {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(map[string]any{"provider": "custom", "metadata": metadata, "payload": map[string]any{"record": string(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// anyRecord returns a random record, in which some fields are always the same.
func anyRecord(random *rand.Rand, mayForbid bool) calllog.Record {
	maybe := func() bool { return random.IntN(2) == 0 }
	word := func(words ...string) string { return words[random.IntN(len(words))] }
	r := calllog.Record{Reported: call.Reported{ExternalID: "c-1", CallerChannel: -1}}
	if maybe() {
		r.From, r.To = word("+15550100", "15550100"), "+15550199"
	}
	if maybe() {
		r.StartedAt = time.UnixMilli(1_760_000_000_000 + random.Int64N(3)*1000).UTC()
		r.EndedAt = r.StartedAt.Add(time.Duration(random.IntN(90)) * time.Second)
	}
	if maybe() {
		r.End = call.EndOf(call.EndCode(word("completed", "unknown", "agent_error", "busy")), word("a", "b"))
		r.NeverAnswered = r.End.Code == call.EndBusy
	}
	if maybe() {
		r.HasTranscript, r.Timed = true, maybe()
		for i := range random.IntN(4) {
			r.Turns = append(r.Turns, call.Turn{Index: i, Speaker: call.Caller, Text: word("hello", "good morning", "yes")})
		}
		r.ToolCalls = []call.ToolCall{{ID: word("t1", "t2"), Name: "book", Result: word("", "done")}}
	}
	if maybe() {
		cost, good := random.Int64N(3), maybe()
		r.Cost, r.Successful, r.Summary = &cost, &good, word("short", "a longer summary")
		r.Latency = map[string]call.ReportedLatency{word("e2e", "llm"): {N: random.IntN(3)}}
	}
	if maybe() {
		r.RecordingURL, r.Channels = word("https://a.example/1", "https://b.example/2"), random.IntN(3)
	}
	if maybe() {
		r.PlatformAgentID, r.ExternalAgentID = word("front", "other"), ""
		r.Metadata = map[string]any{word("k", "l"): word("v", "w"), "agent_name": "Front"}
	}
	if mayForbid && random.IntN(4) == 0 {
		r.Keep = call.Keep(word("no_people", "basics"))
	}
	return r
}

// state returns everything stored about the one call that does not depend on the
// time of arrival.
func state(t *testing.T, m *memory) string {
	t.Helper()
	if len(m.calls) != 1 {
		t.Fatalf("%d calls", len(m.calls))
	}
	c := m.calls[0]
	whole, _, err := m.RecordOf(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	c.ID = ""
	text, err := json.MarshalIndent(map[string]any{"call": c, "record": whole}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestEveryOrderGivesTheSameCall(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 1))
		var bodies [][]byte
		var records []calllog.Record
		for range 4 {
			r := anyRecord(random, seed%2 == 1)
			records = append(records, r)
			bodies = append(bodies, telling(t, r, map[string]any{"ticket": random.IntN(3)}))
		}
		want := ""
		for _, order := range permutations(len(bodies)) {
			m := &memory{rows: rows{agents: []scenario.Agent{{ID: "agt_1", WorkspaceID: "ws_1", SourceID: "front"}}}}
			s := told(m)
			for _, i := range append(order, order[0]) { // the first one again
				if _, err := s.Accept(t.Context(), "ws_1", bodies[i]); err != nil {
					t.Fatal(err)
				}
			}
			got := state(t, m)
			if want == "" {
				want = got
				nothingLowered(t, records, m)
			}
			if got != want {
				t.Fatalf("seed %d, order %v gives another call:\n%s\nand not\n%s", seed, order, got, want)
			}
		}
	}
}

// nothingLowered checks that what any of the records says, and may be kept, is
// stored.
func nothingLowered(t *testing.T, records []calllog.Record, m *memory) {
	t.Helper()
	got, _, err := m.RecordOf(t.Context(), m.calls[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if got.Keep != calllog.KeepEverything {
			if got.From != "" || got.RecordingURL != "" || got.Summary != "" || got.Metadata["k"] != nil || m.calls[0].From != "" {
				t.Fatalf("kept although it must not be: %+v", got)
			}
			continue
		}
		if r.EndedAt.After(got.EndedAt) || r.HasTranscript && !got.HasTranscript || r.RecordingURL != "" && got.RecordingURL == "" ||
			r.Cost != nil && *got.Cost < *r.Cost || len(r.Turns) > 0 && len(got.Turns) == 0 || r.Summary != "" && got.Summary == "" {
			t.Fatalf("lost: %+v of\n%+v", r, got)
		}
	}
}

func permutations(n int) (out [][]int) {
	var grow func(done, rest []int)
	grow = func(done, rest []int) {
		if len(rest) == 0 {
			out = append(out, slices.Clone(done))
			return
		}
		for i := range rest {
			grow(append(slices.Clone(done), rest[i]), slices.Delete(slices.Clone(rest), i, i+1))
		}
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	grow(nil, all)
	return out
}

func TestOneOfAGroupDoesNotSpoilTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		m := &spoiling{memory: &memory{before: func() { <-gate }}}
		s := told(m)
		type result struct {
			id  string
			err error
		}
		results := make(chan result, 40)
		for i := range cap(results) {
			id := fmt.Sprintf("c-%d", i)
			go func() {
				_, err := s.Accept(t.Context(), "ws_1", telling(t, calllog.Record{Reported: call.Reported{ExternalID: id}}, nil))
				results <- result{id, err}
			}()
		}
		synctest.Wait() // all but the first now wait in one group
		close(gate)
		for range cap(results) {
			if r := <-results; (r.err != nil) != (r.id == "c-7") {
				t.Errorf("%s: %v", r.id, r.err)
			}
		}
		if len(m.calls) != 39 || len(m.submissions) != 39 {
			t.Errorf("%d calls, %d submissions", len(m.calls), len(m.submissions))
		}
	})
}

// Calls are locked until the transaction ends. Two transactions with several calls
// would deadlock unless both lock in the order of the calls.
func TestCallsOfAGroupAreHeldInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		s := told(m)
		const calls = 9
		send := func(i int, summary string) {
			r := calllog.Record{Reported: call.Reported{ExternalID: fmt.Sprintf("c-%d", i), Summary: summary}}
			if _, err := s.Accept(t.Context(), "ws_1", telling(t, r, nil)); err != nil {
				t.Error(err)
			}
		}
		for i := range calls {
			send(i, "")
		}
		gate := make(chan struct{})
		m.before = func() { <-gate }
		go send(calls, "the first of a rush is stored alone")
		synctest.Wait()
		for i := range calls {
			go send(calls-1-i, "more")
			synctest.Wait()
		}
		close(gate)
		synctest.Wait()
		if len(m.locked) != calls || !slices.IsSorted(m.locked) {
			t.Errorf("held %v", m.locked)
		}
	})
}

// spoiling is a store that fails to store the submission of one call.
type spoiling struct{ *memory }

func (s *spoiling) Write(ctx context.Context, f func(calllog.Tx) error) error {
	return s.memory.Write(ctx, func(tx calllog.Tx) error { return f(spoilt{tx}) })
}

type spoilt struct{ calllog.Tx }

func (s spoilt) InsertSubmissions(ctx context.Context, all []calllog.Submission) error {
	for _, sub := range all {
		if sub.ExternalID == "c-7" {
			return errors.New("this one cannot be kept")
		}
	}
	return s.Tx.InsertSubmissions(ctx, all)
}

func TestMoreThanCanBeStoredIsTurnedAway(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	m := &memory{before: func() { <-gate }}
	s := told(m)
	const many = 4500
	results := make(chan error, many)
	for i := range many {
		body := telling(t, calllog.Record{Reported: call.Reported{ExternalID: fmt.Sprint(i)}}, nil)
		go func() {
			_, err := s.Accept(t.Context(), "ws_1", body)
			results <- err
		}()
	}
	first := <-results // no other can be answered yet
	if p := problem.As(first); p == nil || p.Code != problem.Unavailable || p.RetryAfter <= 0 {
		t.Errorf("turned away with %v", first)
	}
	close(gate)
	stored := 0
	for range many - 1 {
		if err := <-results; err == nil {
			stored++
		} else if !problem.Is(err, problem.Unavailable) {
			t.Error(err)
		}
	}
	if len(m.calls) != stored || stored < 4000 {
		t.Errorf("%d calls are stored and %d were acknowledged", len(m.calls), stored)
	}
}

func TestEarlierCallsFindTheirAgent(t *testing.T) {
	t.Parallel()
	m := &memory{}
	s := told(m)
	var heard []string
	s.Relinked = func(_ context.Context, _ calllog.Tx, _ string, ids []string) error {
		heard = append(heard, ids...)
		return nil
	}
	for i := range 450 {
		r := calllog.Record{Reported: call.Reported{ExternalID: fmt.Sprint(i), PlatformAgentID: "front"}}
		if i%10 == 0 {
			r.PlatformAgentID = "other"
		}
		if _, err := s.Accept(t.Context(), "ws_1", telling(t, r, nil)); err != nil {
			t.Fatal(err)
		}
	}
	m.agents = []scenario.Agent{{ID: "agt_1", WorkspaceID: "ws_1", SourceID: "front"}}
	for range 2 {
		if err := s.Relink(t.Context(), "agt_1"); err != nil {
			t.Fatal(err)
		}
	}
	linked := 0
	for _, c := range m.calls {
		if c.AgentID == "agt_1" {
			linked++
		}
		if !c.AgentInferred || (c.AgentID == "") != strings.HasSuffix(c.ExternalID, "0") {
			t.Errorf("call %s: agent %q, inferred %v", c.ExternalID, c.AgentID, c.AgentInferred)
		}
	}
	if linked != 405 || len(heard) != 405 {
		t.Errorf("%d calls are linked and %d were told of, want 405", linked, len(heard))
	}
}

func TestWhomTheAgentDoesNotReachIsNoFailingOfIts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		end       call.EndCode
		direction string
		want      call.Blame
	}{
		{call.EndBusy, "outbound", call.BlameCaller},
		{call.EndNoAnswer, "", call.BlameCaller},
		{call.EndVoicemail, "outbound", call.BlameCaller},
		{call.EndDeclined, "outbound", call.BlameCaller},
		{call.EndNoAnswer, "inbound", call.BlameAgent},
		{call.EndAgentError, "outbound", call.BlameAgent},
		{call.EndUnreachable, "outbound", call.BlameLine},
	} {
		m := &memory{}
		r := calllog.Record{End: call.EndOf(c.end, "word"), Reported: call.Reported{ExternalID: "c-1", Direction: c.direction, CallerChannel: -1}}
		if _, err := told(m).Accept(t.Context(), "ws_1", telling(t, r, nil)); err != nil {
			t.Fatal(err)
		}
		if got := m.calls[0].EndReason; got.Blame != c.want || got.Code != c.end {
			t.Errorf("%s %s: %+v", c.direction, c.end, got)
		}
	}
}
