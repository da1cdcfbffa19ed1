package audio

import (
	"bytes"
	"runtime"
	"testing"
)

// TestReadWAVHoldsSoundOnce checks that samples are allocated only once, however long a header
// claims the sound to be. It is not parallel, because it measures memory.
func TestReadWAVHoldsSoundOnce(t *testing.T) { //nolint:paralleltest // see above
	const samples = 16 << 20
	file := new(bytes.Buffer)
	if err := WriteWAV(file, 16000, make([]int16, samples), make([]int16, samples)); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"whole": file.Bytes(), "cut off at once": file.Bytes()[:10_000]} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w, err := ReadWAV(bytes.NewReader(b), 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		sound, used := 4*len(w.Channels[0]), int(after.TotalAlloc-before.TotalAlloc)
		if used > 2*sound+(1<<20) {
			t.Errorf("%s: %d bytes of sound cost %d", name, sound, used)
		}
	}
}
