package room

import (
	"strings"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"

	"github.com/ringtrue/ringtrue/internal/call"
)

// TestACodecThatIsNotReadIsNamed checks that a microphone with an unsupported codec is named if the
// media server announces it, as other servers do for PCMU.
func TestACodecThatIsNotReadIsNamed(t *testing.T) {
	t.Parallel()
	for mime, read := range map[string]bool{"audio/opus": true, "audio/OPUS": true, "audio/red": true, "": true, "audio/PCMU": false, "audio/G722": false} {
		if isRead(mime) != read {
			t.Errorf("a microphone in %q is read: %v, want %v", mime, !read, read)
		}
	}
	c := placing{meeting: newMeeting(nil, nil)}
	c.attempt.RingingAt = time.Unix(1, 0)
	for mime, word := range map[string]string{"": "no microphone", "audio/PCMU": "in PCMU", "PCMA": "another codec", "audio/" + strings.Repeat("x\x00", 50): "in xxxx"} {
		c.meeting.unread = unread(&livekit.TrackInfo{MimeType: mime})
		if why := c.missed(); why.Code != call.EndAgentNeverCame || why.Blame != call.BlameAgent || !strings.Contains(why.Detail, word) || len(why.Detail) > 100 {
			t.Errorf("of a microphone in %q the call ends %+v, want %s and %q in at most 100 bytes", mime, why, call.EndAgentNeverCame, word)
		}
	}
}
