package sip

import (
	"strings"
	"testing"
	"unicode"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/telephone"
)

// hostile is a reason that a far end may give for an end: PostgreSQL refuses to store the NUL, and
// the rest clears a terminal.
const hostile = "gone\x00 \x1b[2J\u009b2J\a \xff away"

// TestTheFarEndsWordsCanBeKeptAndShown checks the reasons of a refusal and of a BYE.
func TestTheFarEndsWordsCanBeKeptAndShown(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, end call.EndReason, want call.EndCode) {
		t.Helper()
		if end.Code != want || !strings.Contains(end.Detail, "gone") || !strings.Contains(end.Detail, "away") {
			t.Errorf("end %+v, want %s and both ends of the far end's words", end, want)
		}
		if strings.ContainsFunc(end.Detail, unicode.IsControl) {
			t.Errorf("there are control characters in %q", end.Detail)
		}
	}
	t.Run("a refusal", func(t *testing.T) {
		t.Parallel()
		p := newPeer(t)
		c := placed(t, lineTo(t, p, nil), to(patient), &mute{})
		p.reply(p.next(msg.INVITE), 486, hostile, "", "Reason: Q.850;text=\""+hostile+"\"")
		check(t, result(t, c).EndReason, call.EndBusy)
	})
	t.Run("a BYE", func(t *testing.T) {
		t.Parallel()
		p := newPeer(t)
		c := placed(t, lineTo(t, p, nil), to(patient), &mute{})
		invite := p.next(msg.INVITE)
		p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
		p.next(msg.ACK)
		p.send(invite, "BYE", 1, "", "Reason: SIP;text=\""+hostile+"\"")
		check(t, result(t, c).EndReason, call.EndAgentHungUp)
	})
}

// TestWhatCameInThePlaceOfAudioIsSaid checks that everything that came instead of audio is
// mentioned, because otherwise nobody could find out what to correct.
func TestWhatCameInThePlaceOfAudioIsSaid(t *testing.T) {
	t.Parallel()
	for text, r := range map[string]telephone.Result{
		"no audio ever arrived":     {},
		"the agent's audio stopped": {FirstPacket: true},
		"no audio ever arrived; 3 packets arrived with payload types that were not agreed, the last with type 18": {Unspoken: 3, UnspokenType: 18},
		"no audio ever arrived; 4 packets held more than 200 ms; 5 packets were not valid RTP":                    {Oversized: 4, Broken: 5},
	} {
		if got := mediaLost(&r); got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
}
