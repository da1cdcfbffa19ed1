package main

import (
	"math"

	"github.com/thesyncim/gopus"

	"github.com/ringtrue/ringtrue/bench/callers"
	"github.com/ringtrue/ringtrue/internal/audio"
)

const (
	rate      = 16000
	frameSize = rate / 50
	frameTime = 20_000_000 // ns
	opusFrame = 48000 / 50
)

// The agents' turns, in frames: they alternate between speech and silence, so that the callers hear
// speech begin and end, and answer.
const (
	turnFrames  = 200
	speakFrames = 80
	loopFrames  = 5 * turnFrames
)

// content is what everybody says: the same loop, which begins at a different place in each room.
type content struct {
	tones   [loopFrames]int // -1 means none
	packets [loopFrames][]byte
}

// The tones, in Hz: far enough apart to be distinguished in part of a frame.
const (
	tones     = 16
	firstTone = 500
	toneStep  = 120
)

// newContent makes the loop. No frame has the tone of one of the three before it, so that a
// concealed frame is not taken for it.
func newContent(seed uint64) (*content, error) {
	c := &content{}
	e, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: rate, Channels: 1, Application: gopus.ApplicationVoIP})
	if err != nil {
		return nil, err
	}
	if err := e.SetBitrate(32000); err != nil {
		return nil, err
	}
	state, phase := seed, 0.0
	pcm, faint, packet := make([]int16, frameSize), make([]int16, frameSize), make([]byte, 1275)
	noise := audio.NewNoise(seed)
	for i := range c.packets {
		noise.Pink(faint, -62)
		c.tones[i] = -1
		if i%turnFrames < speakFrames {
			for c.tones[i] = -1; c.tones[i] < 0 || c.recent(i); {
				state = callers.Mix(state)
				c.tones[i] = int(state % tones)
			}
		}
		for j := range pcm {
			pcm[j] = faint[j]
			if c.tones[i] >= 0 {
				phase += 2 * math.Pi * float64(firstTone+toneStep*c.tones[i]) / rate
				pcm[j] += int16(4000 * math.Sin(phase))
			}
		}
		n, err := e.EncodeInt16(pcm, packet)
		if err != nil {
			return nil, err
		}
		c.packets[i] = append([]byte(nil), packet[:n]...)
	}
	return c, nil
}

func (c *content) recent(i int) bool {
	for back := 1; back <= 3 && i-back >= 0; back++ {
		if c.tones[i-back] == c.tones[i] {
			return true
		}
	}
	return false
}

// at returns the place in the loop of frame i of a room.
func at(room, i int) int { return (i + room*37) % loopFrames }

// heard returns which tone a piece of audio contains, or -1 for none.
func heard(pcm []int16) int {
	best, tone, all := 0.0, -1, 0.0
	for k := range tones {
		p := audio.Goertzel(pcm, rate, float64(firstTone+toneStep*k))
		all += p
		if p > best {
			best, tone = p, k
		}
	}
	if best < 300*300 || best < all/2 {
		return -1
	}
	return tone
}
