package stories

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// TestKilledUnderCallLogs kills the service while call logs of all three
// providers pour in: every call that was acknowledged is there afterwards, once.
func TestKilledUnderCallLogs(t *testing.T) {
	t.Parallel()
	for name, flags := range map[string]func(t *testing.T) []string{
		"sqlite":   func(*testing.T) []string { return nil },
		"postgres": func(t *testing.T) []string { t.Helper(); return []string{"--database", pgtest.Database(t)} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			killedUnderCallLogs(t, flags(t))
		})
	}
}

func killedUnderCallLogs(t *testing.T, flags []string) {
	t.Helper()
	binary := build(t)
	port, err := freePort()
	must(t, err)
	address := "127.0.0.1:" + port
	args := append([]string{"--log-level=error", "serve", "--listen", address, "--data", t.TempDir()}, flags...)
	p := start(t, binary, args...)
	p.address = address
	p.await(t)
	key := p.firstKey(t)
	known := pour(t, p, key)
	again := start(t, binary, args...)
	again.address = address
	again.await(t)
	there := map[string]int{}
	api := client.New(again.url(), key)
	for cursor := ""; ; {
		page, err := api.Calls(t.Context(), client.CallFilter{Origin: "production"}, client.PageOptions{Limit: 1000, Cursor: cursor})
		must(t, err)
		for _, c := range page.Data {
			there[word(c.ExternalID)]++
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	for id, n := range there {
		if n != 1 {
			t.Errorf("%s is there %d times", id, n)
		}
	}
	for _, id := range known {
		if there[id] == 0 {
			t.Errorf("%s was acknowledged and is lost", id)
		}
	}
}

// pour submits calls until 200 are acknowledged, kills the service among them,
// and returns the ids that were acknowledged.
func pour(t *testing.T, p *process, key string) []string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	api := client.New(p.url(), key, client.WithRetries(0))
	var mu sync.Mutex
	var known []string
	var senders sync.WaitGroup
	enough := make(chan struct{})
	for sender := range 8 {
		senders.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				id := fmt.Sprintf("c-%d-%d", sender, i)
				_, err := api.SubmitCallLog(ctx, callLogOf(i, id))
				if err != nil {
					return
				}
				mu.Lock()
				if known = append(known, id); len(known) == 200 {
					close(enough)
				}
				mu.Unlock()
			}
		})
	}
	select {
	case <-enough:
	case <-time.After(patience):
		t.Error("the service takes in next to nothing")
	}
	p.kill(t)
	senders.Wait()
	return known
}

// callLogOf is the log of a call, of one provider after the other.
func callLogOf(i int, id string) client.CallLog {
	type object = map[string]any
	switch i % 3 {
	case 0:
		return client.CallLog{Provider: "custom", Payload: client.CustomPayload{
			CallID: id, RecordingURL: "http://127.0.0.1:9/none.wav", FromNumber: "+15550100", ToNumber: "+15550199",
			StartTimestamp: 1_760_000_000_000, EndTimestamp: 1_760_000_060_000, Status: "ended",
		}}
	case 1:
		return client.CallLog{Provider: "platform_a", Payload: object{"event": "call_ended", "call": object{
			"call_id": id, "call_type": "phone_call", "call_status": "ended", "start_timestamp": 1_760_000_000_000, "end_timestamp": 1_760_000_060_000,
			"disconnection_reason": "user_hangup", "transcript": "Agent: Good morning.\nUser: Hello.",
		}}}
	default:
		return client.CallLog{Provider: "platform_b", Payload: object{"message": object{
			"type": "end-of-call-report", "endedReason": "customer-ended-call", "startedAt": "2026-01-01T10:00:00Z", "endedAt": "2026-01-01T10:01:01Z",
			"call": object{"id": id, "type": "inboundPhoneCall"}, "artifact": object{"messages": []object{{"role": "bot", "message": "Good morning.", "secondsFromStart": 0.9}}},
		}}}
	}
}
