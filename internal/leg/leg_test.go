package leg

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

func TestALetterIsTakenWhenDelivered(t *testing.T) {
	t.Parallel()
	var box Mailbox[string]
	l := box.Expect(100 * time.Millisecond)
	if _, _, ok := box.Take(time.Second); ok {
		t.Fatal("an undelivered letter was taken")
	}
	if got := box.Overdue(150 * time.Millisecond); got != 50*time.Millisecond {
		t.Errorf("overdue by %s, want 50ms", got)
	}
	l.Deliver("hello")
	l.Deliver("again")
	if _, _, ok := box.Take(80 * time.Millisecond); ok {
		t.Fatal("a letter was taken before it was due")
	}
	v, late, ok := box.Take(120 * time.Millisecond)
	if !ok || v != "hello" || late != 20*time.Millisecond {
		t.Errorf("took %q, late %s, %v", v, late, ok)
	}
	if box.Waiting() != 0 {
		t.Error("the letter is still in the box")
	}
}

func TestALetterMayTakeEffectBeforeItIsDue(t *testing.T) {
	t.Parallel()
	var box Mailbox[string]
	l := box.ExpectFrom(100*time.Millisecond, time.Second)
	if box.Overdue(900*time.Millisecond) != 0 {
		t.Error("overdue before it was due")
	}
	l.Deliver("hello")
	if _, _, ok := box.Take(80 * time.Millisecond); ok {
		t.Fatal("a letter was taken before it may take effect")
	}
	if err := box.Await(t.Context(), 100*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if v, late, ok := box.Take(100 * time.Millisecond); !ok || v != "hello" || late != 0 {
		t.Errorf("took %q, late %s, %v", v, late, ok)
	}
	box.ExpectFrom(0, time.Second).Deliver("late")
	if _, late, ok := box.Take(1500 * time.Millisecond); !ok || late != 500*time.Millisecond {
		t.Errorf("late %s, %v, want 500ms", late, ok)
	}
}

func TestLettersKeepTheirOrder(t *testing.T) {
	t.Parallel()
	var box Mailbox[int]
	first, second := box.Expect(0), box.Expect(0)
	second.Deliver(2)
	if _, _, ok := box.Take(time.Second); ok {
		t.Fatal("the second letter overtook the first")
	}
	first.Deliver(1)
	for want := 1; want <= 2; want++ {
		if v, _, _ := box.Take(time.Second); v != want {
			t.Errorf("took %d, want %d", v, want)
		}
	}
}

func TestAwaitWaitsForWhatIsDueAndNothingElse(t *testing.T) {
	t.Parallel()
	var box Mailbox[int]
	due, later := box.Expect(time.Second), box.Expect(time.Minute)
	go due.Deliver(1)
	if err := box.Await(t.Context(), time.Second); err != nil {
		t.Fatal(err)
	}
	if v, _, ok := box.Take(time.Second); !ok || v != 1 {
		t.Errorf("after Await took %d, %v", v, ok)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := box.Await(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("Await for a letter nobody delivers returned %v", err)
	}
	later.Deliver(2)
}

func TestTapePlacesSamplesWhereTheyWereSaid(t *testing.T) {
	t.Parallel()
	tape := NewTape(time.Minute)
	tape.Begin(8000)
	tape.Write(AgentChannel, 4, []int16{5, 6})
	tape.Write(AgentChannel, 0, []int16{1, 2})
	tape.Write(CallerChannel, -1, []int16{9, 7})
	if got, want := tape.Channel(AgentChannel), []int16{1, 2, 0, 0, 5, 6}; !slices.Equal(got, want) {
		t.Errorf("agent channel %v, want %v", got, want)
	}
	if got, want := tape.Channel(CallerChannel), []int16{7, 0, 0, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("caller channel %v, want %v", got, want)
	}
	if tape.Written(AgentChannel) != 4 || tape.Refused() != 1 {
		t.Errorf("written %d, refused %d", tape.Written(AgentChannel), tape.Refused())
	}
}

func TestTapeCrossesItsChunks(t *testing.T) {
	t.Parallel()
	tape := NewTape(time.Hour)
	tape.Begin(8000)
	pcm := make([]int16, 3*chunkSamples)
	for i := range pcm {
		pcm[i] = int16(i)
	}
	const at = chunkSamples - 7
	tape.Write(AgentChannel, at, pcm)
	got := tape.Channel(AgentChannel)
	if !slices.Equal(got[at:], pcm) || tape.Samples() != int64(at+len(pcm)) {
		t.Error("what was written across chunks did not come back")
	}
}

func TestTapeIsBounded(t *testing.T) {
	t.Parallel()
	tape := NewTape(time.Second)
	tape.Begin(8000)
	tape.Write(CallerChannel, 7990, make([]int16, 160))
	tape.Write(CallerChannel, 1<<40, make([]int16, 160))
	if tape.Samples() != 8000 || tape.Refused() != 150+160 {
		t.Errorf("%d samples, %d refused", tape.Samples(), tape.Refused())
	}
	if tape.Duration() != time.Second {
		t.Errorf("duration %s", tape.Duration())
	}
}
