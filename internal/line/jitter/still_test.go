package jitter

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// TestAClockThatStoodStillKeepsNobodyBehind plays a far end that sends nothing in long pauses and
// whose timestamps only advance while it speaks, like a browser whose sound comes from a program.
// Its packets are as prompt as ever, so every word must be heard whole, and with less delay than on
// a network that holds packets up.
func TestAClockThatStoodStillKeepsNobodyBehind(t *testing.T) {
	t.Parallel()
	inBothEars(t, func(t *testing.T, e ear, perTick int) {
		const every, long, words = 150, 50, 4
		size := perTick * frameSize
		said := make([]int16, long*size)
		audio.NewNoise(5).Pink(said, -20)
		for n := range words * every {
			if frame := n % every; frame < long {
				sent := n/every*long + frame
				e.take(rtp.Packet{
					Sequence: uint16(sent), Timestamp: uint32(sent * frameSize), SSRC: 1, Payload: e.code(said[frame*size : (frame+1)*size]),
				}, time.Duration(n)*leg.FrameTime)
			}
			e.hear(n)
			play := &courseOf(e).play
			if behind := play.delay * 1000 / telephoneRate; n%every == long-1 && behind > 140 {
				t.Errorf("word %d is heard %d ms behind", n/every, behind)
			}
			if n == words*every-1 && play.late > 0 {
				t.Errorf("%d packets are counted as late", play.late)
			}
		}
	})
}

// TestAClockThatStoodStillOnARoughLine plays the same far end over a network that delays each packet by up to 40 ms, so
// that one overtakes another. Each word has to be on the recording where it came, and no part of it before.
func TestAClockThatStoodStillOnARoughLine(t *testing.T) {
	t.Parallel()
	inBothEars(t, func(t *testing.T, e ear, perTick int) {
		const every, long, words = 100, 50, 12
		size := perTick * frameSize
		var sent []rtp.Packet
		var came []time.Duration
		rng := rand.New(rand.NewPCG(3, 4))
		for n := range words * every {
			if n%every >= long {
				continue
			}
			pcm := make([]int16, size)
			audio.NewNoise(uint64(n)).Pink(pcm, -20)
			number := len(sent)
			sent = append(sent, rtp.Packet{Sequence: uint16(number), Timestamp: uint32(number * frameSize), SSRC: 1, Payload: e.code(pcm)})
			came = append(came, time.Duration(n)*leg.FrameTime+time.Duration(rng.IntN(40))*time.Millisecond)
		}
		order := make([]int, len(sent))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(came[a], came[b]) })
		for n := range words * every {
			for len(order) > 0 && came[order[0]] <= time.Duration(n)*leg.FrameTime {
				e.take(sent[order[0]], came[order[0]])
				order = order[1:]
			}
			e.hear(n)
		}
		tape := e.recording(words * every)
		for n := range words - 1 {
			pause := tape[(n*every+long+3)*size : (n+1)*every*size-size]
			if at := firstLoud(pause); at >= 0 {
				t.Errorf("there is sound %d ms into the pause behind word %d", at*1000/(perTick*telephoneRate), n)
			}
		}
	})
}

func courseOf(e ear) *course {
	if room, ok := e.(roomEar); ok {
		return &room.w.course
	}
	return &e.(telephoneEar).r.course
}
