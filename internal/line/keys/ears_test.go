package keys

import (
	"slices"
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

// TestPressesByOddClocks checks that presses are counted correctly although the timestamps are
// unusual.
func TestPressesByOddClocks(t *testing.T) {
	t.Parallel()
	type packet struct {
		at       int64 // ms
		code     uint8
		stamp    uint32
		duration uint16
		end      bool
	}
	press := func(at int64, code uint8, stamp uint32) []packet {
		return []packet{{at, code, stamp, 160, false}, {at + 20, code, stamp, 320, false}, {at + 40, code, stamp, 480, true}, {at + 60, code, stamp, 480, true}}
	}
	// Some senders advance the timestamp during a press, and some also when they repeat its end.
	running := func(at int64, code uint8, stamp, ends uint32) (all []packet) {
		for n := range uint32(5) {
			all = append(all, packet{at + 20*int64(n), code, stamp + 160*n, uint16(160 * (n + 1)), n == 4})
		}
		for n := range uint32(2) {
			all = append(all, packet{at + 80, code, stamp + 640 + ends*(n+1), 800, true})
		}
		return all
	}
	for name, test := range map[string]struct {
		packets []packet
		want    string
	}{
		"running":                       {slices.Concat(running(0, 1, 99, 160), running(160, 1, 1500, 160), running(320, 2, 3000, 160)), "112"},
		"running, all but its end":      {slices.Concat(running(0, 1, 99, 0), running(160, 1, 1500, 0)), "11"},
		"running, with holes":           {slices.Concat(running(0, 1, 99, 160)[:2], running(0, 1, 99, 160)[3:4], running(160, 1, 1500, 160)), "11"},
		"running, its end alone":        {slices.Concat(running(0, 1, 99, 160)[3:], running(160, 1, 1500, 160)[4:]), "11"},
		"set back in the call":          {slices.Concat(press(0, 1, 5e7), press(180, 2, 800), press(360, 3, 2240)), "123"},
		"set ahead by half its turn":    {slices.Concat(press(0, 1, 0), press(180, 2, 1<<31+1), press(360, 3, 1<<31+1500)), "123"},
		"set back by a little":          {slices.Concat(press(0, 1, 8000), press(1000, 1, 7000)), "11"},
		"standing":                      {slices.Concat(press(0, 1, 99), press(160, 2, 99), press(320, 1, 99)), "121"},
		"standing, the same key":        {slices.Concat(press(0, 1, 99), press(800, 1, 99)), "11"},
		"a long press":                  {[]packet{{0, 4, 0, 65000, false}, {20, 4, 0, 65535, false}, {40, 4, 65535, 100, false}, {60, 4, 65535, 300, true}}, "4"},
		"a press with a hole":           {[]packet{{0, 4, 0, 160, false}, {1000, 4, 0, 8000, false}, {1020, 4, 0, 8160, true}}, "4"},
		"two keys, the first one's end": {[]packet{{0, 4, 0, 160, false}, {20, 5, 99, 160, false}, {25, 4, 0, 320, true}, {40, 5, 99, 320, true}}, "45"},
		"an end that is said for long":  {[]packet{{0, 4, 0, 160, true}, {400, 4, 0, 160, true}, {800, 4, 0, 160, true}}, "4"},
	} {
		var k Ears
		var got string
		next := func(key byte) {
			if key != 0 {
				got += string(key)
			}
		}
		for _, p := range test.packets {
			next(k.Idle(p.at * 1e6))
			next(k.Hear(rtp.KeyEvent{Code: p.code, Duration: p.duration, End: p.end}, p.stamp, p.at*1e6))
		}
		next(k.Idle(1e12))
		if got != test.want {
			t.Errorf("%s: heard %q, want %q", name, got, test.want)
		}
	}
}
