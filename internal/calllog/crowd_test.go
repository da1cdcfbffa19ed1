package calllog_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/ringtrue/ringtrue/internal/calllog"
)

// The calls of a crowd share one job, which spreads their reviews.
func TestJobOfACrowd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		m := &memory{before: func() { <-hold }}
		s := setup(m)
		const crowd = 12
		results := make(chan calllog.Accepted, crowd)
		for i := range crowd {
			go func() {
				a, err := s.Accept(t.Context(), "ws_1", log(t, func(_, p map[string]any) { p["call_id"] = fmt.Sprint(i) }))
				if err != nil {
					t.Error(err)
				}
				results <- a
			}()
			synctest.Wait() // the first is alone, the others form a group after it
		}
		close(hold)
		var ids []string
		for range crowd {
			ids = append(ids, (<-results).ID)
		}
		if len(m.jobs) != 2 || !strings.HasPrefix(m.jobs[0], "review_log ") || !strings.HasPrefix(m.jobs[1], "spread ") {
			t.Fatalf("jobs %q", m.jobs)
		}
		if err := s.Spread(t.Context(), strings.TrimPrefix(m.jobs[1], "spread ")); err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if !slices.Contains(m.jobs, "review_log "+id) {
				t.Errorf("%s is never reviewed; jobs %q", id, m.jobs)
			}
		}
	})
}

// A workspace that sends more than can be reviewed does not make the others wait, whether its calls come one by one or in a crowd.
func TestACrowdIsLessUrgent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		s := setup(m)
		send := func(workspace, id string) string {
			a, err := s.Accept(t.Context(), workspace, log(t, func(_, p map[string]any) { p["call_id"] = id }))
			if err != nil {
				t.Error(err)
			}
			return a.ID
		}
		first := send("ws_1", "first")
		for i := range 120 {
			send("ws_1", fmt.Sprint(i))
		}
		last, other := send("ws_1", "last"), send("ws_2", "first")
		hold := make(chan struct{})
		m.before = func() { <-hold }
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() { send("ws_1", fmt.Sprint("crowd", i)) })
			synctest.Wait() // the first is alone, the others form a group after it
		}
		all.Go(func() { send("ws_2", "second") })
		synctest.Wait()
		close(hold)
		all.Wait()
		var spread []string
		for _, job := range m.jobs {
			if id, is := strings.CutPrefix(job, "spread "); is {
				spread = append(spread, id)
			}
		}
		if len(spread) != 2 {
			t.Fatalf("jobs %q", m.jobs)
		}
		for _, ids := range spread {
			if err := s.Spread(t.Context(), ids); err != nil {
				t.Fatal(err)
			}
		}
		want := map[string]int{first: 1, last: 2, other: 1}
		for _, c := range m.calls {
			switch {
			case strings.HasPrefix(c.ExternalID, "crowd"):
				want[c.ID] = 2
			case c.ExternalID == "second":
				want[c.ID] = 1
			}
		}
		for id, urgency := range want {
			if m.urgency["review_log "+id] != urgency {
				t.Errorf("the review of %s has the urgency %d, want %d", id, m.urgency["review_log "+id], urgency)
			}
		}
		if len(want) != 16 {
			t.Errorf("%d calls, want 16", len(want))
		}
	})
}
