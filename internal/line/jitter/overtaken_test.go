package jitter

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// TestWhoWasOvertakenTellsNothingOfTheClock checks that an overtaken packet counts as said before
// those that overtook it, whatever its timestamp is. A timestamp hours ahead must not make the
// following frames skip hours, and several timestamps hours in the past are not taken for a clock
// that stood still.
func TestWhoWasOvertakenTellsNothingOfTheClock(t *testing.T) {
	t.Parallel()
	const hour = 3600 * telephoneRate
	for name, off := range map[string]int64{
		"an hour later": hour, "an hour before": -hour, "as late as can be": 1<<31/wideClock - hour, "as soon as can be": hour - 1<<31/wideClock,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			overtakenBy(t, telephoneEar{newWire()}, telephoneRate, off)
			overtakenBy(t, newRoomEar(), WidebandRate, off)
		})
	}
}

// overtakenBy delays six packets so that the seventh overtakes them, and sends them one by one in
// place of their successors, with timestamps that are off by the given number of ticks. Around them
// are words of 30 frames with pauses of 20, during which nothing is sent.
func overtakenBy(t *testing.T, e ear, rate int, off int64) {
	t.Helper()
	const frames, first, late = 250, 110, 6
	send := func(n int, off int64, at time.Duration) {
		tone := e.code(audio.Tone(400, 8000, leg.FrameTime, rate))
		e.take(rtp.Packet{Sequence: uint16(n), Timestamp: uint32(int64(n*frameSize) + off), SSRC: 1, Payload: tone}, at)
	}
	for n := range frames {
		at := time.Duration(n)*leg.FrameTime + transit
		switch {
		case n >= first && n < first+late:
		case n > first+late && n <= first+2*late:
			send(n-late-1, off, at)
		case n%50 < 30:
			send(n, 0, at)
		}
		e.hear(n)
	}
	pcm := e.recording(frames)
	for _, n := range []int{15, 40, 65, 90, 105, 125, 140, 165, 190, 215} {
		at := min(n*rate/50+int(transit)*rate/int(time.Second), len(pcm))
		if got, want := firstLoud(pcm[at:min(at+rate/50, len(pcm))]) >= 0, n%50 < 30; got != want {
			t.Errorf("at %d Hz frame %d sounds: %v, want %v", rate, n, got, want)
		}
	}
}

// TestWhoWasOvertakenByKeysStandsWhereItWasSaid checks that the first packet of a word is placed by
// its timestamp if packets without audio, such as those of a key press, overtake it, however many
// these are.
func TestWhoWasOvertakenByKeysStandsWhereItWasSaid(t *testing.T) {
	t.Parallel()
	for _, keys := range []uint16{1, 100, 45000} {
		w := newWire()
		at := func(n int) time.Duration { return time.Duration(n)*leg.FrameTime + transit }
		for n := range 100 {
			switch {
			case n < 30:
				w.send(n, at(n))
			case n == 50:
				for k := uint16(0); k <= keys; k += 45 {
					w.r.Count(rtp.Packet{Sequence: w.seq0 + 31 + k, SSRC: w.ssrc}, int64(at(n)))
				}
				w.sendSized(n*frameSize, frameSize, 30+keys/45*45, at(n))
			case n > 50:
				w.sendSized(n*frameSize, frameSize, uint16(n-50)+31+keys/45*45, at(n))
			}
			w.hear(n)
		}
		_, pcm := w.finish()
		if word := firstLoud(pcm[begin+35*frameSize:]); word < 15*frameSize-8 || word > 15*frameSize+8 {
			t.Errorf("after %d keys the word begins %d samples after the one before, want %d", keys, word, 15*frameSize)
		}
		if end := len(pcm); end > begin+100*frameSize {
			t.Errorf("after %d keys the recording is %d samples long", keys, end)
		}
	}
}

// TestALongerFirstPacketThatWasOvertaken checks that the first packet of all, which lasts longer than those
// that overtook it, stands before them, and that they stay in their places.
func TestALongerFirstPacketThatWasOvertaken(t *testing.T) {
	t.Parallel()
	for where, e := range map[string]ear{"on the telephone": telephoneEar{newWire()}, "in a room": newRoomEar()} {
		per := 1
		if where == "in a room" {
			per = wide
		}
		const frames, long, overtakenBy = 100, 240, 2
		said := make([]int16, frames*frameSize*per)
		audio.NewNoise(7).Pink(said, -30)
		send := func(seq, from, ticks int, at time.Duration) {
			payload := e.code(said[from*per : (from+ticks)*per])
			e.take(rtp.Packet{Sequence: uint16(seq), Timestamp: uint32(from), SSRC: 1, Payload: payload}, at)
		}
		for n, from := 1, long; from+frameSize <= frames*frameSize; n, from = n+1, from+frameSize {
			at := transit + time.Duration(from)*time.Second/telephoneRate
			if send(n, from, frameSize, at); n == overtakenBy {
				send(0, 0, long, at)
			}
			e.hear(n + 3)
		}
		pcm := e.recording(frames + 5)
		for n := range frames - 2 {
			if off, ok := seek(pcm, said[n*frameSize*per:(n+1)*frameSize*per], (begin+n*frameSize)*per, per); !ok || off > per {
				t.Errorf("frame %d, %s: it is whole: %v, %d samples off", n, where, ok, off)
				break
			}
		}
	}
}
