package api_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

const callLogPath = "/api/rest/v2/call-logs"

func submitted(t *testing.T, b *bundle, body string, headers ...string) api.CallLogAccepted {
	t.Helper()
	w := b.ask(t, "POST", callLogPath, body, headers...)
	var a api.CallLogAccepted
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 202 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return a
}

func TestCallLogIsShownAndAmended(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := submitted(t, b, strings.Replace(callLog, `"provider"`, `"metadata":{"campaign":"spring","n":12345678901234567},"provider"`, 1))
	path := callLogPath + "/" + a.ID
	shown := func(body string) (l api.CallLogRecord) {
		if err := json.Unmarshal([]byte(body), &l); err != nil {
			t.Fatal(err)
		}
		return l
	}
	w := b.ask(t, "GET", path, "")
	l := shown(w.Body.String())
	if w.Code != 200 || l.ID != a.ID || l.Provider != "custom" || l.Keeps != "everything" || len(l.Submissions) != 1 || *l.ExternalID != "c-1" || l.AgentLink != nil {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	w = b.ask(t, "PATCH", path, `{"outcome":"booked","metadata":{"ticket":"T-1","campaign":null,"order":98765432109876543,"share":1.10}}`)
	l = shown(w.Body.String())
	if w.Code != 200 || *l.Outcome != "booked" || l.Metadata["ticket"] != "T-1" || l.Metadata["campaign"] != nil || len(l.Submissions) != 2 || l.Submissions[1].Kind != "patch" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	for _, number := range []string{`"n":12345678901234567`, `"order":98765432109876543`, `"share":1.10`} {
		if !strings.Contains(w.Body.String(), number) {
			t.Errorf("%s lost digits: %s", number, w.Body)
		}
	}
	jobs := len(b.jobs.list)
	if w := b.ask(t, "PATCH", path, `{"outcome":"booked"}`); w.Code != 200 || len(shown(w.Body.String()).Submissions) != 2 || len(b.jobs.list) != jobs {
		t.Errorf("what changes nothing was stored: %s", w.Body)
	}
	if jobs != 2 {
		t.Errorf("%d reviews, want one for the submission and one for what was added", jobs)
	}
	wantProblem(t, b.ask(t, "PATCH", path, `{"outcom":"x"}`), 422, "invalid_fields", "outcom")
	wantProblem(t, b.ask(t, "PATCH", path, `{"outcome":""}`), 422, "invalid_fields", "outcome")
	wantProblem(t, b.ask(t, "PATCH", path, `{}`), 422, "invalid_fields", "metadata")
	wantProblem(t, b.ask(t, "PATCH", path, `{"metadata":{"a":"\u0000"}}`), 422, "invalid_fields", "metadata.a")
	wantProblem(t, b.ask(t, "PATCH", path, `{"metadata":{"a":"`+strings.Repeat("x", 70_000)+`"}}`), 422, "invalid_fields", "metadata")
	for levels, status := range map[int]int{63: 200, 64: 422} { // as in a submission
		deep := strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels)
		if w := b.ask(t, "PATCH", path, `{"metadata":`+deep+`}`); w.Code != status {
			t.Errorf("%d levels: %d %s", levels, w.Code, w.Body)
		}
		if w := b.ask(t, "POST", callLogPath, strings.Replace(callLog, `"provider"`, `"metadata":`+deep+`,"provider"`, 1)); w.Code/100 != status/100 {
			t.Errorf("%d levels submitted: %d %s", levels, w.Code, w.Body)
		}
	}
	for _, method := range []string{"GET", "PATCH"} {
		body := map[string]string{"PATCH": `{"outcome":"x"}`}[method]
		wantProblem(t, b.ask(t, method, path, body, "Authorization", "Bearer "+b.other), 404, "not_found")
		wantProblem(t, b.ask(t, method, callLogPath+"/call_none", body), 404, "not_found")
	}
}

// A client that asks for its record must not be told that a caller was calm of whom the review says otherwise.
func TestCallLogTellsHowItsCallerFelt(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *api.Options) {
		o.Calls = archive.New(archive.Options{Store: store.As[archive.Tx](o.Events.(*store.Store))})
	})
	a := submitted(t, b, callLog)
	reviewed := review()
	reviewed.CallID = a.ID
	if err := b.store.Write(t.Context(), func(tx *store.Tx) error { return tx.SaveReview(t.Context(), reviewed) }); err != nil {
		t.Fatal(err)
	}
	for method, body := range map[string]string{"GET": "", "PATCH": `{"outcome":"booked"}`} {
		w := b.ask(t, method, callLogPath+"/"+a.ID, body)
		for _, want := range []string{`"caller_sentiment":"negative"`, `"caller_upset":true`, `"turn_latency_ms":1001`} {
			if w.Code != 200 || !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %d, no %s in %s", method, w.Code, want, w.Body)
			}
		}
	}
}

func TestCallLogWithAnIdempotencyKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := submitted(t, b, callLog, "Idempotency-Key", "k1")
	again := submitted(t, b, callLog, "Idempotency-Key", "k1")
	if first.Duplicate || again.ID != first.ID || !again.Duplicate {
		t.Errorf("%+v %+v", first, again)
	}
	other := strings.Replace(callLog, "c-1", "c-2", 1)
	wantProblem(t, b.ask(t, "POST", callLogPath, other, "Idempotency-Key", "k1"), 409, "conflict")
	wantProblem(t, b.ask(t, "POST", callLogPath, `{"provider":"custom"}`, "Idempotency-Key", "k2"), 422, "invalid_fields", "payload")
	if a := submitted(t, b, other, "Idempotency-Key", "k2"); a.Duplicate {
		t.Error("a refused request used up its key")
	}
}

// People have no key: each is held to the rate alone, not all together, of all workspaces.
func TestCallLogRateOfPeople(t *testing.T) {
	t.Parallel()
	w := settle(t, func(o *api.Options) {
		o.CallLogRate = 1
		o.HTTP.Steady = func() time.Time { return time.Unix(1_760_000_000, 0) }
	})
	for _, role := range []workspace.Role{workspace.Owner, workspace.Owner, workspace.Member, workspace.Member} {
		wantStatus(t, w.by(t, w.cookies[role], "POST", "/v2/call-logs", callLog).Code, 202, string(role))
	}
	wantProblem(t, w.by(t, w.cookies[workspace.Member], "POST", "/v2/call-logs", callLog), 429, "rate_limited")
}

func TestCallLogRate(t *testing.T) {
	t.Parallel()
	at := time.Unix(1_760_000_000, 0)
	b := setup(t, func(o *api.Options) {
		o.CallLogRate = 2
		o.HTTP.Steady = func() time.Time { return at }
	})
	for range 4 {
		submitted(t, b, callLog)
	}
	w := b.ask(t, "POST", callLogPath, callLog)
	if p := wantProblem(t, w, 429, "rate_limited"); w.Header().Get("Retry-After") != "1" || p.Hint == "" {
		t.Errorf("%v %+v", w.Header(), p)
	}
	if w := b.ask(t, "POST", callLogPath, callLog, "Authorization", "Bearer "+b.other); w.Code != 202 {
		t.Errorf("another key is held back too: %d", w.Code)
	}
	if w := b.ask(t, "GET", callLogPath+"/call_none", ""); w.Code != 404 {
		t.Errorf("reading is held back: %d", w.Code)
	}
	at = at.Add(time.Second)
	submitted(t, b, callLog)
}
