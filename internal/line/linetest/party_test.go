package linetest

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
)

func TestAVoiceThatIsNotSteppedHasStalled(t *testing.T) {
	v := &Voice{}
	if why := v.stalled(); why != "" {
		t.Errorf("before it began: %s", why)
	}
	v.Begin(8000)
	v.began = time.Now().Add(-time.Second)
	if v.stalled() == "" {
		t.Error("a second has gone by, and nobody has stepped it: that is a stall")
	}
	v.End(0, true)
	if v.stalled() == "" {
		t.Error("the call ended, and the steps that were due by then never came: that is a stall")
	}
	v = &Voice{next: time.Second}
	v.Begin(8000)
	v.began = time.Now().Add(-time.Second - leg.FrameTime)
	if why := v.stalled(); why != "" {
		t.Errorf("between two steps: %s", why)
	}
}

func TestEndsThatBeganApartAreTold(t *testing.T) {
	one, other := &Voice{}, &Voice{}
	one.Begin(8000)
	other.Begin(8000)
	if why := apart(one, other); why != "" {
		t.Errorf("they began together, and it says that %s", why)
	}
	one.began = one.began.Add(-bothClocks)
	if apart(one, other) == "" || apart(other, one) == "" {
		t.Error("what one says in its first moments is before the other's time, and nobody tells")
	}
	if apart(&Voice{}, other) == "" {
		t.Error("one of them never began, and nobody tells")
	}
}
