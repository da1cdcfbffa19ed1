package timing

import (
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

const (
	noStats = "this line keeps no packet statistics"
	noneIn  = "no packet arrived"
)

// packets computes a metric that is a plain counter.
func packets(field func(*call.LineStats) int64) func(*view) result {
	return func(v *view) result {
		if !v.in.HasStats {
			return none(noStats)
		}
		return count(int(max(field(&v.in.Stats), 0)))
	}
}

// punctual is how late we may have read packets for their arrival times to mean anything.
const punctual = 20 * time.Millisecond

// lateHere says that our own side read packets late, "" if it did not.
func (v *view) lateHere() string {
	if late := v.in.Stats.ReceiveLateMax; v.in.HasStats && late > punctual {
		return fmt.Sprintf("this machine read packets up to %d ms late, so it is not known when they arrived", late.Milliseconds())
	}
	return ""
}

// packetsLate counts the packets that came too late to be heard.
func (v *view) packetsLate() result {
	if why := v.lateHere(); why != "" && v.in.Stats.Late > 0 {
		return none(why)
	}
	return packets(func(s *call.LineStats) int64 { return s.Late })(v)
}

// loss is the share of packets that never arrived.
func (v *view) loss() result {
	s := &v.in.Stats
	if all := max(s.Received, 0) + max(s.Lost, 0); v.in.HasStats && all > 0 {
		return is(float64(max(s.Lost, 0)) / float64(all))
	}
	return v.noPackets()
}

func (v *view) noPackets() result {
	if !v.in.HasStats {
		return none(noStats)
	}
	return none(noneIn)
}

func (v *view) jitter() result    { return v.arrival(v.in.Stats.Jitter) }
func (v *view) jitterMax() result { return v.arrival(v.in.Stats.JitterMax) }

// arrival returns a time that is only meaningful if packets were read as they came.
func (v *view) arrival(d time.Duration) result {
	if why := v.lateHere(); why != "" {
		return none(why)
	}
	return v.received(d)
}

// shareOfGap is how many times our own lateness the longest gap must be. If the media server
// is in our process, a packet passes through several steps, each of which may be late.
const shareOfGap = 20

func (v *view) longestGap() result {
	gap := v.in.Stats.LongestGap
	if v.in.Stats.ReceiveLateMax*shareOfGap <= gap {
		return v.received(gap)
	}
	return v.arrival(gap)
}

// received returns a time that is only meaningful if packets have arrived.
func (v *view) received(d time.Duration) result {
	if !v.in.HasStats || v.in.Stats.Received <= 0 {
		return v.noPackets()
	}
	return is(max(seconds(d), 0))
}

func (v *view) roundTrip() result {
	switch {
	case !v.in.HasStats:
		return none(noStats)
	case v.in.Stats.RoundTrip <= 0:
		return none("the far end sent no RTCP report to measure it by")
	}
	return is(seconds(v.in.Stats.RoundTrip))
}

// packetTime is the time it takes to fill a packet.
const packetTime = 20 * time.Millisecond

// rFactor is the E-model of ITU-T G.107, simplified, for G.711 (see docs/metrics/mos.md).
func (v *view) rFactor() result {
	s := &v.in.Stats
	gone := float64(max(s.Lost, 0) + max(s.Late, 0))
	all := float64(max(s.Received, 0) + max(s.Lost, 0))
	if !v.in.HasStats || all == 0 {
		return v.noPackets()
	}
	if why := v.lateHere(); why != "" && s.Late > 0 {
		return none(why)
	}
	share := min(gone/all, 1)
	oneWay := max(s.RoundTrip, 0)/2 + packetTime + max(v.in.JitterBuffer, 0)
	return is(93.2 - delayImpairment(oneWay) - lossImpairment(share, burstRatio(s, share), v.in.Concealed))
}

// delayImpairment is Id of G.107 for a one-way delay.
func delayImpairment(d time.Duration) float64 {
	ms := seconds(d) * 1000
	id := 0.024 * ms
	if ms > 177.3 {
		id += 0.11 * (ms - 177.3)
	}
	return id
}

// lossImpairment is Ie_eff of G.107 for G.711 (Ie = 0), for a share of lost packets from 0
// to 1.
func lossImpairment(share, burst float64, concealed bool) float64 {
	bpl := 4.3
	if concealed {
		bpl = 25.1
	}
	ppl := 100 * share
	return 95 * ppl / (ppl/burst + bpl)
}

// burstRatio is the mean length of runs of lost packets relative to random loss; 1 if the
// runs are unknown.
func burstRatio(s *call.LineStats, share float64) float64 {
	if s.Bursts <= 0 || s.Lost <= 0 {
		return 1
	}
	return max(1, float64(s.Lost)/float64(s.Bursts)*(1-share))
}

func (v *view) mos() result {
	r := v.rFactor()
	if r.reason != "" {
		return r
	}
	return is(opinion(r.value))
}

// opinion converts R to a mean opinion score.
func opinion(r float64) float64 {
	switch {
	case r <= 0:
		return 1
	case r >= 100:
		return 4.5
	}
	return max(1, 1+0.035*r+7e-6*r*(r-60)*(100-r))
}
