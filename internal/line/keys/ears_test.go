package keys

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/rtp"
)

func TestAKeyPressIsHeardOnce(t *testing.T) {
	t.Parallel()
	packets := func(k *Ears, code uint8, stamp uint32, at int64, lose func(int) bool) (keys string) {
		for i := range 8 {
			if lose(i) {
				continue
			}
			e := rtp.KeyEvent{Code: code, Duration: uint16(160 * (i + 1)), End: i >= 5}
			if key := k.Hear(e, stamp, at+int64(i)*20e6); key != 0 {
				keys += string(key)
			}
		}
		return keys
	}
	never := func(int) bool { return false }
	for name, test := range map[string]struct{ first, second func(int) bool }{
		"all there":       {never, never},
		"one end only":    {func(i int) bool { return i >= 5 && i != 6 }, never},
		"no end at all":   {func(i int) bool { return i >= 5 }, never},
		"only the end":    {func(i int) bool { return i != 7 }, never},
		"the first alone": {func(i int) bool { return i != 0 }, never},
	} {
		var k Ears
		got := packets(&k, 1, 8000, 0, test.first)
		if key := k.Idle(400e6); key != 0 {
			got += string(key)
		}
		got += packets(&k, 1, 16000, 1000e6, test.second)
		if key := k.Idle(3000e6); key != 0 {
			got += string(key)
		}
		if got != "11" {
			t.Errorf("%s: heard %q, want 11", name, got)
		}
	}
}
