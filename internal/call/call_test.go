package call

import (
	"testing"
	"time"
)

func TestEveryEndCodeHasABlame(t *testing.T) {
	t.Parallel()
	codes := map[EndCode]Blame{
		EndCompleted: BlameNobody, EndTransferred: BlameNobody, EndCallerHungUp: BlameCaller, EndAgentHungUp: BlameAgent,
		EndMaxDuration: BlameAgent, EndSilence: BlameAgent, EndBusy: BlameAgent, EndNoAnswer: BlameAgent, EndDeclined: BlameAgent,
		EndVoicemail: BlameAgent, EndAgentNeverCame: BlameAgent, EndUnreachable: BlameLine, EndMediaLost: BlameLine,
		EndCodecMismatch: BlameLine, EndAgentError: BlameAgent, EndConfiguration: BlameAgent, EndProviderError: BlamePlatform,
		EndPlatformError: BlamePlatform, EndInterrupted: BlameRingtrue, EndRingtrueError: BlameRingtrue,
		EndUnknown: BlameUndecided, "a word nobody knows": BlameUndecided,
	}
	if listed := EndCodes(); len(listed) != len(codes)-1 { // without the last
		t.Errorf("%d codes are listed: %v", len(listed), listed)
	}
	for code, want := range codes {
		if got := EndOf(code, "as it came"); got.Blame != want || got.Detail != "as it came" {
			t.Errorf("%s: %+v, want blame %s", code, got, want)
		}
	}
}

func TestDurationIsTheAnsweredTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c := Call{StartedAt: at, EndedAt: at.Add(time.Minute)}
	if c.Duration() != 0 {
		t.Errorf("a call that was never answered lasted %s", c.Duration())
	}
	c.AnsweredAt = at.Add(10 * time.Second)
	if c.Duration() != 50*time.Second {
		t.Errorf("lasted %s", c.Duration())
	}
}

func TestClockNeverShowsSixtySeconds(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0:00.0", 12400 * time.Millisecond: "0:12.4", 59949 * time.Millisecond: "0:59.9", 59960 * time.Millisecond: "1:00.0", 3725 * time.Second: "62:05.0",
	} {
		if got := Clock(d); got != want {
			t.Errorf("%s is %s, want %s", d, got, want)
		}
	}
}
