package review

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// syllables are like lay, of a loudness that changes like that of speech.
func syllables(pcm []int16, where []stretch, hz float64, random *rand.Rand) {
	for _, s := range where {
		for from := s.from; from < s.to; {
			to := min(from+60+random.IntN(140), s.to)
			tone := audio.Tone(hz, 12000*math.Pow(10, -random.Float64()), time.Duration(to-from)*ms, rate)
			audio.Mix(pcm[from*rate/1000:], tone)
			from = to
		}
	}
}

// backOn mixes what comes back of one channel into another: a tenth of it, a fifth of a second later.
func backOn(own, other []int16) {
	back := make([]int16, len(own))
	copy(back[rate/5:], other)
	audio.Gain(back, -20)
	audio.Mix(own, back)
}

// A caller's loudspeaker that sends the agent's voice back interrupts nobody.
func TestTheAgentsEchoIsNotTheCaller(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	agent, caller := make([]int16, 15_000*8), make([]int16, 15_000*8)
	syllables(agent, agentSpeaks(), 700, random)
	syllables(caller, callerSpeaks(), 300, random)
	backOn(caller, agent)
	var w bytes.Buffer
	if err := audio.WriteWAV(&w, rate, caller, agent); err != nil {
		t.Fatal(err)
	}
	p := produce(t)
	p.web.body = w.Bytes()
	for range 2 { // with what is found, and with what was kept of it
		_, r := p.work(t)
		planted(t, r)
		if v := r.Metric("overlap_seconds").Value; v == nil || *v != 0 {
			t.Errorf("the overlap is %v", r.Metric("overlap_seconds"))
		}
		if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "20 dB fainter after 200 ms") || r.Heard.Engines["echo"] == "" {
			t.Errorf("the notes are %q, the engines %v", r.Notes, r.Heard.Engines)
		}
	}
}
