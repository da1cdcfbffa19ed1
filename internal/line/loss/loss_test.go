package loss

import (
	"math"
	"slices"
	"testing"
)

// drawn returns which of so many packets are lost.
func drawn(m Model, anew uint64, packets int) []bool {
	d, lost := m.Begin(anew), make([]bool, packets)
	for i := range lost {
		lost[i] = d.Next()
	}
	return lost
}

// bursts counts the runs of lost packets and the packets in them.
func bursts(lost []bool) (runs, packets int) {
	for i, gone := range lost {
		if gone {
			packets++
			if i == 0 || !lost[i-1] {
				runs++
			}
		}
	}
	return runs, packets
}

func TestLossIsAsLargeAsItWasAskedFor(t *testing.T) {
	t.Parallel()
	const packets = 1_000_000
	for name, c := range map[string]struct {
		m           Model
		share, mean float64
	}{
		"none":       {},
		"one by one": {m: Model{Seed: 1, Share: 0.05}, share: 0.05, mean: 1 / 0.95},
		"all":        {m: Model{Seed: 1, Share: 1}, share: 1, mean: packets},
		"bursts":     {m: Model{Seed: 1, BurstStart: 0.01, BurstMean: 5}, share: 0.01 * 5 / (1 - 0.01 + 0.01*5), mean: 5 / 0.99},
		"no mean":    {m: Model{Seed: 1, BurstStart: 0.1}, share: 0.1, mean: 1 / 0.9},
	} {
		runs, gone := bursts(drawn(c.m, 7, packets))
		mean := float64(gone) / math.Max(float64(runs), 1)
		if share := float64(gone) / packets; math.Abs(share-c.share) > 0.05*c.share || math.Abs(mean-c.mean) > 0.05*c.mean {
			t.Errorf("%s: %.4f are lost, %.2f in a row; want %.4f and %.2f", name, share, mean, c.share, c.mean)
		}
	}
}

func TestASeedDecidesWhatIsLost(t *testing.T) {
	t.Parallel()
	seeded, drawnAnew := Model{Seed: 3, Share: 0.3}, Model{Share: 0.3}
	if !slices.Equal(drawn(seeded, 1, 500), drawn(seeded, 2, 500)) {
		t.Error("two calls of one seed lose other packets")
	}
	if slices.Equal(drawn(drawnAnew, 1, 500), drawn(drawnAnew, 2, 500)) {
		t.Error("two calls without a seed lose the same packets")
	}
}
