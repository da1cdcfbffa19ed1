package review

import (
	"fmt"
	"testing"
	"time"
)

func TestEachKindOfFailureIsToldOnceInAWhile(t *testing.T) {
	t.Parallel()
	h, now := newHush(), time.Unix(1_800_000_000, 0)
	lines := 0
	for i := range 12_000 { // one minute of an unreachable host
		if _, ok := h.speak("it does not answer", now.Add(time.Duration(i)*5*time.Millisecond)); ok {
			lines++
		}
	}
	if lines != 6 {
		t.Errorf("%d lines", lines)
	}
	if left, ok := h.speak("it does not answer", now.Add(time.Hour)); !ok || left != 1999 {
		t.Errorf("after an hour: %v, %d left out", ok, left)
	}
	if left, ok := h.speak("another", now.Add(time.Hour)); !ok || left != 0 {
		t.Errorf("another failure: %v, %d left out", ok, left)
	}
	for i := range 10 * hushed {
		h.speak(fmt.Sprint(i), now)
	}
	if len(h.told) > hushed || len(h.left) > hushed {
		t.Errorf("%d kinds are remembered", len(h.told))
	}
}
