package sip

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// TestACallOnAClosedLineIsInterrupted checks that the trunk is not blamed for a call that comes while we shut down.
func TestACallOnAClosedLineIsInterrupted(t *testing.T) {
	t.Parallel()
	for _, transport := range []Transport{UDP, TCP} {
		l, err := New(Options{Trunks: []Trunk{{Name: "main", Host: "127.0.0.1:9", Transport: transport}}, Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		if a := l.Place(t.Context(), leg.Dial{To: "100", CallID: "call_1"}, nil, nil); a.EndReason.Code != call.EndInterrupted {
			t.Errorf("over %s it ends as %+v", transport, a.EndReason)
		}
	}
}
