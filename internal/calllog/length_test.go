package calllog_test

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/platformb"
)

// A record without times may still have the length of its call: the call was over on arrival.
func TestLengthWithoutTimes(t *testing.T) {
	t.Parallel()
	m := &memory{}
	s := calllog.New(calllog.Options{
		Store: m, Readers: map[string]calllog.Reader{calllog.PlatformB: platformb.Reader()},
		NewID: func(prefix string) string { return prefix + "_1" }, Now: func() time.Time { return received },
	})
	body := `{"provider":"platform_b","payload":{"message":{"type":"end-of-call-report","durationSeconds":45,"call":{"id":"b-1"}}}}`
	if _, err := s.Accept(t.Context(), "ws_1", []byte(body)); err != nil {
		t.Fatal(err)
	}
	c := m.calls[0]
	if !c.EndedAt.Equal(received) || c.EndedAt.Sub(c.StartedAt) != 45*time.Second || c.Status != call.Ended {
		t.Errorf("%+v", c)
	}
}
