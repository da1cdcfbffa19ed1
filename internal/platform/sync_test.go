package platform_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/platform"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// far is a platform that answers what it is told to.
type far struct {
	answer func(u *url.URL) (string, error)
	asked  []string
	bodies []string
	keys   []string
	given  []scenario.Agent
	kept   string
}

func (f *far) GetJSON(_ context.Context, q platform.Question, key string) ([]byte, error) {
	u, err := url.Parse(q.Address)
	if err != nil {
		return nil, err
	}
	f.asked, f.bodies, f.keys = append(f.asked, q.Address), append(f.bodies, string(q.Body)), append(f.keys, key)
	text, err := f.answer(u)
	return []byte(text), err
}

func (f *far) PlatformKey(context.Context, string, string) (string, bool, error) {
	return f.kept, f.kept != "", nil
}

func (f *far) SyncAgents(_ context.Context, _ string, listed []scenario.Agent) (created, updated []scenario.Agent, skipped int, err error) {
	f.given = listed
	return listed[:min(1, len(listed))], nil, 0, nil
}

func (f *far) service() *platform.Service {
	return platform.New(platform.Options{Getter: f, Keys: f, Agents: f, Bases: map[string]string{platform.A: "https://a.example/", platform.B: "https://b.example/v1"}})
}

func answers(text string) *far {
	return &far{answer: func(*url.URL) (string, error) { return text, nil }}
}

func TestTheNewestVersionOfAnAgentWins(t *testing.T) {
	t.Parallel()
	f := answers(`[{"agent_id":"a1","agent_name":"new","version":12,"is_published":false},{"agent_id":"a2","agent_name":null,"version":0},
		{"agent_id":"a1","agent_name":"old","version":"3","is_published":true}, 7, null, {"agent_name":"no id"}, {"agent_id":"x\ny"}]`)
	got, err := f.service().Sync(t.Context(), "ws_1", platform.A, "k")
	if err != nil || got.Listed != 2 || got.Unchanged != 1 || f.asked[0] != "https://a.example/v2/list-agents?limit=100" || f.keys[0] != "k" {
		t.Fatalf("%+v %v, asked %v", got, err, f.asked)
	}
	if f.given[0].SourceID != "a1" || f.given[0].Name != "new" || f.given[1].Name != "a2" {
		t.Errorf("%+v", f.given)
	}
}

// Platform A's pages name the next one. Behind the last it may go on with keys that lead in a circle.
func TestPagesThatNameTheNext(t *testing.T) {
	t.Parallel()
	for name, behind := range map[string]string{
		"an end":            `"has_more":false,"pagination_key":"2"`,
		"no key":            `"has_more":true`,
		"a key of nothing":  `"has_more":true,"pagination_key":null`,
		"keys in a circle":  `"has_more":true,"pagination_key":"1"`,
		"a key and no more": `"pagination_key":"1"`,
	} {
		f := &far{answer: func(u *url.URL) (string, error) {
			switch u.Query().Get("pagination_key") {
			case "":
				return `{"items":[{"agent_id":"a1","agent_name":"One","channel":"voice","tags":{}}],"has_more":true,"pagination_key":"1"}`, nil
			case "1":
				return `{"items":[{"agent_id":"a2","agent_name":"Two","user_modified_timestamp":1}],` + behind + `}`, nil
			}
			return `{"items":[{"agent_id":"a3"}]}`, nil
		}}
		got, err := f.service().Sync(t.Context(), "ws_1", platform.A, "k")
		if err != nil || got.Listed != 2 || len(f.asked) > 3 || f.given[1].Name != "Two" {
			t.Errorf("%s: %+v %v, asked %v", name, got, err, f.asked)
		}
		for i, body := range f.bodies {
			if !strings.Contains(body, `"voice"`) || !strings.HasPrefix(f.asked[i], "https://a.example/v2/list-agents?limit=100") {
				t.Errorf("%s: asked %s with %q", name, f.asked[i], body)
			}
		}
	}
}

// An interface that has platform A's older list alone is asked for that, and the version may be part of the address.
func TestTheOlderListOfPlatformA(t *testing.T) {
	t.Parallel()
	for _, status := range []int{404, 405} {
		f := &far{answer: func(u *url.URL) (string, error) {
			if u.Path != "/list-agents" {
				return "", &platform.Refused{Status: status, Text: "no"}
			}
			return `[{"agent_id":"a1","agent_name":"One","version":1},{"agent_id":"a1","agent_name":"Uno","version":2}]`, nil
		}}
		got, err := f.service().Sync(t.Context(), "ws_1", platform.A, "k")
		if err != nil || got.Listed != 1 || f.given[0].Name != "Uno" || len(f.asked) != 2 || f.bodies[1] != "" {
			t.Errorf("%d: %+v %v, asked %v", status, got, err, f.asked)
		}
	}
	f := answers(`{"items":[]}`)
	versioned := platform.New(platform.Options{Getter: f, Keys: f, Agents: f, Bases: map[string]string{platform.A: "https://a.example/v2/"}})
	if _, err := versioned.Sync(t.Context(), "ws_1", platform.A, "k"); err != nil || f.asked[0] != "https://a.example/v2/list-agents?limit=100" {
		t.Errorf("%v, asked %v", err, f.asked)
	}
}

func TestPagesAreAskedForUntilTheyEnd(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f := &far{kept: "kept"}
	f.answer = func(u *url.URL) (string, error) {
		var rows []string
		from := 250
		if before := u.Query().Get("createdAtLt"); before != "" {
			at, err := time.Parse(time.RFC3339, before)
			if err != nil {
				return "", err
			}
			from = int(at.Sub(began) / time.Minute)
		}
		for i := from - 1; i >= max(0, from-100); i-- {
			rows = append(rows, fmt.Sprintf(`{"id":"b%d","name":"Agent %d","createdAt":%q}`, i, i, began.Add(time.Duration(i)*time.Minute).Format(time.RFC3339)))
		}
		return "[" + strings.Join(rows, ",") + "]", nil
	}
	got, err := f.service().Sync(t.Context(), "ws_1", platform.B, "")
	if err != nil || got.Listed != 250 || len(f.asked) != 3 || f.keys[0] != "kept" {
		t.Errorf("%d listed after %d pages: %v", got.Listed, len(f.asked), err)
	}
}

// What cannot be read of a page, and agents made in one moment, hide none of those behind them.
func TestNoAgentIsHiddenBehindAPage(t *testing.T) {
	t.Parallel()
	const agents = 730
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, row := range map[string]func(i int) (created time.Time, text string){
		"one without an id": func(i int) (time.Time, string) {
			at := began.Add(time.Duration(i) * time.Second)
			if i%97 == 5 {
				return at, fmt.Sprintf(`{"id":null,"createdAt":%q}`, at.Format(time.RFC3339Nano))
			}
			return at, fmt.Sprintf(`{"id":"b%d","createdAt":%q}`, i, at.Format(time.RFC3339Nano))
		},
		"one without a time": func(i int) (time.Time, string) {
			at := began.Add(time.Duration(i) * time.Second)
			if i%97 == 5 {
				return at, fmt.Sprintf(`{"id":"b%d"}`, i)
			}
			return at, fmt.Sprintf(`{"id":"b%d","createdAt":%q}`, i, at.Format(time.RFC3339Nano))
		},
		"many in one moment": func(i int) (time.Time, string) {
			at := began.Add(time.Duration(i/60) * 7 * time.Millisecond)
			return at, fmt.Sprintf(`{"id":"b%d","createdAt":%q}`, i, at.Format(time.RFC3339Nano))
		},
		"a page full in one moment": func(i int) (time.Time, string) {
			at := began.Add(time.Duration(i/100) * time.Second)
			return at, fmt.Sprintf(`{"id":"b%d","createdAt":%q}`, i, at.Format(time.RFC3339Nano))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			named := 0
			for i := range agents {
				if _, text := row(i); strings.Contains(text, `"b`) {
					named++
				}
			}
			f := &far{}
			f.answer = func(u *url.URL) (string, error) {
				var rows []string
				for i := agents - 1; i >= 0 && len(rows) < 100; i-- {
					at, text := row(i)
					if before, err := time.Parse(time.RFC3339, u.Query().Get("createdAtLt")); err != nil || at.Before(before) {
						rows = append(rows, text)
					}
				}
				return "[" + strings.Join(rows, ",") + "]", nil
			}
			got, err := f.service().Sync(t.Context(), "ws_1", platform.B, "k")
			if err != nil || got.Listed != named {
				t.Errorf("%d of %d listed after %d pages: %v", got.Listed, named, len(f.asked), err)
			}
		})
	}
}

func TestAPlatformThatRepeatsItselfIsNotAskedForEver(t *testing.T) {
	t.Parallel()
	row := `{"id":"b%d","name":"x","createdAt":"2026-01-01T00:00:00Z"}`
	var rows []string
	for i := range 100 {
		rows = append(rows, fmt.Sprintf(row, i))
	}
	f := answers("[" + strings.Join(rows, ",") + "]")
	if got, err := f.service().Sync(t.Context(), "ws_1", platform.B, "k"); err != nil || got.Listed != 100 || len(f.asked) > 2 {
		t.Errorf("%+v after %d pages: %v", got, len(f.asked), err)
	}
}

func TestListsInOtherDressAreRead(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"data":[{"agent_id":"a"}]}`, `{"agents":[{"agent_id":"a"}],"next":null}`, ` [{"agent_id":"a","agent_name":17}] `} {
		if got, err := answers(text).service().Sync(t.Context(), "ws_1", platform.A, "k"); err != nil || got.Listed != 1 {
			t.Errorf("%s: %+v %v", text, got, err)
		}
	}
	for _, text := range []string{``, `null`, `{}`, `"x"`, `<html>`, `{"data":{}}`, `[`, `[{"agent_id":"a"}`} {
		if _, err := answers(text).service().Sync(t.Context(), "ws_1", platform.A, "k"); !problem.Is(err, problem.Unavailable) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestRefusalsBecomeProblems(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		refused platform.Refused
		code    problem.Code
		wait    time.Duration
	}{
		{platform.Refused{Status: 401, Text: "no"}, problem.InvalidFields, 0},
		{platform.Refused{Status: 403, Text: "no"}, problem.InvalidFields, 0},
		{platform.Refused{Status: 429, Text: "slow", RetryAfter: 7 * time.Second}, problem.RateLimited, 7 * time.Second},
		{platform.Refused{Status: 429, Text: "slow"}, problem.RateLimited, 30 * time.Second},
		{platform.Refused{Status: 500, Text: "down"}, problem.Unavailable, 0},
		{platform.Refused{Text: "it does not answer"}, problem.Unavailable, 0},
	} {
		f := &far{answer: func(*url.URL) (string, error) { return "", &x.refused }}
		_, err := f.service().Sync(t.Context(), "ws_1", platform.A, "k-secret")
		if p := problem.As(err); p == nil || p.Code != x.code || p.RetryAfter != x.wait || strings.Contains(err.Error(), "k-secret") {
			t.Errorf("%+v: %v", x.refused, err)
		}
		if f.given != nil {
			t.Error("agents were taken in all the same")
		}
	}
	f := &far{answer: func(*url.URL) (string, error) { return "", errors.New("other") }}
	if _, err := f.service().Sync(t.Context(), "ws_1", platform.A, "k"); problem.As(err) != nil {
		t.Errorf("%v", err)
	}
	if _, err := f.service().Sync(t.Context(), "ws_1", platform.A, ""); !problem.Is(err, problem.InvalidFields) {
		t.Errorf("without a key: %v", err)
	}
	none := platform.New(platform.Options{Getter: f, Keys: f, Agents: f})
	if _, err := none.Sync(t.Context(), "ws_1", platform.A, "k"); !problem.Is(err, problem.InvalidFields) {
		t.Errorf("without an address: %v", err)
	}
	if _, err := none.Sync(t.Context(), "ws_1", "custom", "k"); !problem.Is(err, problem.InvalidFields) {
		t.Errorf("custom: %v", err)
	}
}

func FuzzSync(f *testing.F) {
	f.Add([]byte(`[{"agent_id":"a","version":1e999,"agent_name":"\u0000"}]`), true)
	f.Add([]byte(`{"data":[{"id":"\ud800","createdAt":"x"}]}`), false)
	f.Fuzz(func(t *testing.T, body []byte, a bool) {
		provider := platform.B
		if a {
			provider = platform.A
		}
		far := answers(string(body))
		if _, err := far.service().Sync(t.Context(), "ws_1", provider, "k"); err != nil && problem.As(err) == nil {
			t.Errorf("%v", err)
		}
		for _, g := range far.given {
			if len(g.SourceID) > 200 || len(g.Name) > 200 || g.Name == "" || strings.ContainsAny(g.SourceID+g.Name, "\n\x00") {
				t.Errorf("%q %q passed", g.SourceID, g.Name)
			}
		}
	})
}
