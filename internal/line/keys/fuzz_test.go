package keys

import (
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/rtp"
)

// FuzzKeyPresses checks that there are never more keys than presses, however the packets arrive.
func FuzzKeyPresses(f *testing.F) {
	f.Add([]byte{1, 0, 1, 1, 0x80, 1, 1, 0x80, 1, 2, 0, 9, 2, 0x80, 9})
	f.Add([]byte{5, 0x80, 255, 5, 0x80, 0, 5, 0x80, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		var k Ears
		var at int64
		stamps, packets, keys := map[uint32]bool{}, 0, ""
		for ; len(b) >= 3 && packets < 2000; b = b[3:] {
			e, ok := rtp.ParseKeyEvent([]byte{b[0] % 20, b[1], 0, 160})
			at += int64(b[1]&0x3f) * 10e6
			if key := k.Idle(at); key != 0 {
				keys += string(key)
			}
			if !ok {
				continue
			}
			packets++
			stamp := uint32(b[2]) << 24
			stamps[stamp] = true
			if key := k.Hear(e, stamp, at); key != 0 {
				keys += string(key)
			}
		}
		if key := k.Idle(at + 10e9); key != 0 {
			keys += string(key)
		}
		if k.Idle(at+20e9) != 0 {
			t.Fatal("a press that was completed is completed again")
		}
		if len(keys) > packets || strings.Trim(keys, rtp.Keys) != "" {
			t.Fatalf("%d packets of %d presses gave %q", packets, len(stamps), keys)
		}
	})
}
