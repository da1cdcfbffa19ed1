package main

import (
	"encoding/gob"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ringtrue/ringtrue/bench/callers"
	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
)

const (
	plantedFrames = 300
	// plantedAhead is how many frames after the answer the far end's first one is, plantedDelay its
	// position on the recording, in samples.
	plantedAhead = 3
	plantedDelay = plantedAhead*frameSize + 90
)

// planted is a call whose every frame is known, before it is spoilt.
type planted struct {
	ours, theirs []int16 // the two channels of our recording
	got          []arrival
	sent         []int64 // when the far end spoke
	counted      int64   // what our side claims to have sent
	length       time.Duration
}

func (p *planted) zero() int64 { return time.Unix(1000, 0).UnixNano() }

// ourFrame and theirFrame return the part of the recording that holds a frame.
func (p *planted) ourFrame(i int) []int16 { return p.ours[i*frameSize : (i+1)*frameSize] }
func (p *planted) theirFrame(i int) []int16 {
	return p.theirs[i*frameSize+plantedDelay : (i+1)*frameSize+plantedDelay]
}

// plant returns a call without losses. We speak in its first two thirds.
func plant() *planted {
	p := &planted{
		ours: make([]int16, plantedFrames*frameSize), theirs: make([]int16, plantedFrames*frameSize+plantedDelay),
		counted: plantedFrames, length: plantedFrames * frameTime,
	}
	copy(p.ours, callers.Vowels(3, rate, plantedFrames*frameSize*2/3, -20))
	sums, code, said := newDigester(), make([]byte, frameSize), newContent(1)
	for i := range plantedFrames {
		audio.EncodeMuLaw(code, p.ourFrame(i))
		p.got = append(p.got, arrival{
			At: p.zero() + int64(i)*frameTime + 1e6, SSRC: 7, Stamp: uint32(i*frameSize) - 2000, Seq: uint16(i - 100), Size: frameSize, Sum: sums.sum(code),
		})
		p.sent = append(p.sent, p.zero()+int64(i+plantedAhead)*frameTime)
		said.frame(code, 0, i)
		audio.DecodeMuLaw(p.theirFrame(i), code)
	}
	return p
}

// swap exchanges n of their frames, beginning with from, with those after them.
func (p *planted) swap(from, n, behind int) {
	at := p.theirs[plantedDelay+from*frameSize:][:(n+behind)*frameSize]
	copy(at, slices.Concat(at[n*frameSize:], at[:n*frameSize]))
}

// insert inserts audio before one of their frames, which makes it and all after it later. The call
// gets longer.
func (p *planted) insert(before int, pcm []int16) {
	p.theirs = slices.Insert(p.theirs, plantedDelay+before*frameSize, pcm...)
}

// giveWay removes n samples from one of their frames and moves up what follows.
func (p *planted) giveWay(frame, from, n int) {
	at := plantedDelay + frame*frameSize + from
	p.theirs = slices.Delete(p.theirs, at, at+n)
}

// compared returns the result of the comparison.
func (p *planted) compared() result {
	n := &nearCall{tape: leg.NewTape(time.Minute)}
	n.attempt.AnsweredAt = time.Unix(0, p.zero())
	n.attempt.EndedAt = n.attempt.AnsweredAt.Add(p.length)
	n.attempt.Stats.Sent = p.counted
	n.tape.Begin(rate)
	n.tape.Write(leg.CallerChannel, 0, p.ours)
	n.tape.Write(leg.AgentChannel, 0, p.theirs)
	f := &farCall{Sent: p.sent, Got: p.got}
	f.sort()
	var out result
	c := &comparison{content: newContent(1), sums: newDigester(), out: &out}
	c.call(n, f)
	c.latenesses()
	return out
}

// due is the number of far-end frames that are looked for in a call that was not spoilt: those at
// the end may be in transit.
const due = plantedFrames - plantedAhead - endSlack/frameTime + 1

// TestEveryFrameIsCountedOnce spoils a call whose every frame is known, in one way at a time.
func TestEveryFrameIsCountedOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(p *planted)
		want  result
	}{
		"nothing":                   {func(*planted) {}, result{}},
		"a frame of ours is lost":   {func(p *planted) { p.got = slices.Delete(p.got, 50, 51) }, result{Lost: 1}},
		"our first frames are lost": {func(p *planted) { p.got = p.got[3:] }, result{Lost: 3}},
		"our last frame is lost":    {func(p *planted) { p.got = p.got[:plantedFrames-1] }, result{Lost: 1}},
		"all of ours are lost":      {func(p *planted) { p.got = nil }, result{Lost: plantedFrames}},
		"a frame of ours was never sent": {func(p *planted) {
			p.got = slices.Delete(p.got, 50, 51)
			p.counted--
		}, result{Missed: 1}},
		"a frame of ours comes twice": {func(p *planted) { p.got = slices.Insert(p.got, 51, p.got[50]) }, result{}},
		"a frame comes twice and another not at all": {func(p *planted) {
			p.got = slices.Insert(p.got, 51, p.got[50])
			p.got = slices.Delete(p.got, 60, 61)
		}, result{Lost: 1}},
		"our first two frames change places":     {func(p *planted) { p.got[0], p.got[1] = p.got[1], p.got[0] }, result{}},
		"two frames in the middle change places": {func(p *planted) { p.got[80], p.got[81] = p.got[81], p.got[80] }, result{}},
		"a frame comes as another":               {func(p *planted) { p.got[80].Sum++ }, result{Lost: 1}},
		"a frame comes cut short":                {func(p *planted) { p.got[80].Size-- }, result{Lost: 1}},
		"packets of another call": {func(p *planted) {
			for i := range 5 {
				stray := p.got[100+i]
				stray.SSRC, stray.Stamp = 8, stray.Stamp+77777
				p.got = slices.Insert(p.got, i, stray)
			}
		}, result{}},
		"a word on our recording that was sent as silence": {func(p *planted) { copy(p.ourFrame(plantedFrames-2), callers.Vowels(5, rate, frameSize, -20)) }, result{Lost: 1}},
		"our recording ends where our last word does":      {func(p *planted) { p.ours = p.ours[:len(p.ours)*2/3] }, result{}},
		"the call ends within a frame":                     {func(p *planted) { p.length -= frameTime / 2 }, result{}},
		"the call ends within a frame that is lost": {func(p *planted) {
			p.length -= frameTime / 2
			p.got = p.got[:plantedFrames-1]
		}, result{Lost: 1}},
		"a frame of theirs is lost": {func(p *planted) { clear(p.theirFrame(60)) }, result{FarLost: 1}},
		"their first frame is lost": {func(p *planted) { clear(p.theirFrame(0)) }, result{FarLost: 1}},
		"two frames of theirs change places": {func(p *planted) {
			kept := slices.Clone(p.theirFrame(60))
			copy(p.theirFrame(60), p.theirFrame(61))
			copy(p.theirFrame(61), kept)
		}, result{FarLost: 2}},
		"two blocks of theirs change places":              {func(p *planted) { p.swap(60, 5, 5) }, result{FarLost: 5}},
		"a short block of theirs and a long one":          {func(p *planted) { p.swap(60, 3, 7) }, result{FarLost: 7}},
		"a long block of theirs and a short one":          {func(p *planted) { p.swap(60, 7, 3) }, result{FarLost: 3}},
		"a block of theirs and one that is far away":      {func(p *planted) { p.swap(60, 40, 40) }, result{FarLost: 80}},
		"the same block of theirs twice":                  {func(p *planted) { p.insert(65, p.theirs[plantedDelay+60*frameSize:][:5*frameSize]) }, result{FarLost: 5}},
		"something else among theirs":                     {func(p *planted) { p.insert(60, callers.Vowels(9, rate, 4*frameSize, -20)) }, result{FarLost: 4}},
		"a hole among theirs":                             {func(p *planted) { p.insert(60, make([]int16, 8*frameSize)) }, result{}},
		"a hole among theirs in which some are not there": {func(p *planted) { clear(p.theirFrame(63)); p.insert(60, make([]int16, 4*frameSize)) }, result{FarLost: 1}},
		"a frame of theirs is said twice over the next":   {func(p *planted) { copy(p.theirFrame(61), p.theirFrame(60)) }, result{FarLost: 1}},
		"nothing of theirs":                               {func(p *planted) { clear(p.theirs) }, result{FarLost: due}},
		"their last frames are under way":                 {func(p *planted) { p.theirs = p.theirs[:len(p.theirs)-(plantedAhead+1)*frameSize] }, result{}},
		"theirs end early":                                {func(p *planted) { clear(p.theirs[plantedDelay+200*frameSize:]) }, result{FarLost: due - 200}},
		"a sample slips between their frames": {func(p *planted) {
			p.theirs = slices.Insert(p.theirs, plantedDelay+100*frameSize, 0)
		}, result{}},
		"all that follows of theirs moves up": {func(p *planted) {
			p.theirs = slices.Delete(p.theirs, plantedDelay+100*frameSize, plantedDelay+107*frameSize)
		}, result{FarLost: 7}},
		"a moment of their pause gives way":                    {func(p *planted) { p.giveWay(100, 70, 10) }, result{FarShort: 1}},
		"a moment of it at the begin of a frame":               {func(p *planted) { p.giveWay(100, 0, most) }, result{FarShort: 1}},
		"a moment of it at the end of a frame":                 {func(p *planted) { p.giveWay(100, frameSize-10, 10) }, result{FarShort: 1}},
		"a moment of it between two frames":                    {func(p *planted) { p.giveWay(100, frameSize-edge-2, most) }, result{FarShort: 2}},
		"a moment of it, nearly all of the frame behind":       {func(p *planted) { p.giveWay(100, frameSize-edge+1, most) }, result{FarShort: 1}},
		"more of it gives way than that":                       {func(p *planted) { p.giveWay(100, 70, most+1) }, result{FarLost: 1}},
		"two moments of one frame of it":                       {func(p *planted) { p.giveWay(100, 30, 10); p.giveWay(100, 90, 10) }, result{FarLost: 1}},
		"a moment of their words is gone":                      {func(p *planted) { p.giveWay(60, 70, 10) }, result{FarLost: 1}},
		"a moment of their pause, and a frame of it, are gone": {func(p *planted) { clear(p.theirFrame(101)); p.giveWay(100, 70, 10) }, result{FarShort: 1, FarLost: 1}},
		"both sides lose": {func(p *planted) {
			p.got = slices.Delete(p.got, 50, 52)
			clear(p.theirFrame(60))
		}, result{Lost: 2, FarLost: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := plant()
			c.spoil(p)
			c.want.FarSent, c.want.Answered = due, 1
			if c.want.Missed+c.want.Lost+c.want.FarLost > 0 {
				c.want.Spoilt = 1
			}
			if c.want.Due = plantedFrames; p.length < plantedFrames*frameTime {
				c.want.Due, c.want.FarSent = plantedFrames-1, due-1
			}
			got := p.compared()
			if diff := cmp.Diff(c.want, got, cmpopts.IgnoreFields(result{}, "Minutes", "P50", "P99", "P999", "Worst", "Over5", "Over60")); diff != "" {
				t.Errorf("it counts other frames (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAFirstFrameBeforeTheRecordingIsNotLost begins the recording within the far end's second
// frame. The first two were sent late, after the answer.
func TestAFirstFrameBeforeTheRecordingIsNotLost(t *testing.T) {
	t.Parallel()
	p := plant()
	p.theirs = p.theirs[plantedDelay+frameSize+40:]
	for i := range p.sent {
		p.sent[i] = p.zero() + max(int64(i)*frameTime-25e6, int64(i+1)*1e5)
	}
	got := p.compared()
	if want := plantedFrames - 2; got.FarLost != 0 || got.FarSent < want-2 || got.FarSent > want {
		t.Errorf("%d of %d frames are lost, want none of about %d", got.FarLost, got.FarSent, want)
	}
}

// TestLatenessIsOfTheSchedule sends frames late, one of them so late that others overtake it.
func TestLatenessIsOfTheSchedule(t *testing.T) {
	t.Parallel()
	p := plant()
	for i, late := range map[int]int64{20: 6, 40: 61, 90: 100} {
		p.got[i].At += late * 1e6
	}
	slices.SortFunc(p.got, func(a, b arrival) int { return int(a.At - b.At) })
	got := p.compared()
	want := result{P50: 1, P99: 7, P999: 101, Worst: 101, Over5: 3, Over60: 2}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(result{}, "Due", "FarSent", "Answered", "Minutes")); diff != "" {
		t.Errorf("the latenesses are others (-want +got):\n%s", diff)
	}
}

// TestAPeersFramesAreCountedByTheirStamps spoils what arrived from a peer, which keeps no record.
func TestAPeersFramesAreCountedByTheirStamps(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(p *planted)
		lost  int
	}{
		"nothing":                   {func(*planted) {}, 0},
		"one is lost":               {func(p *planted) { p.got = slices.Delete(p.got, 50, 51) }, 1},
		"one comes twice":           {func(p *planted) { p.got = slices.Insert(p.got, 51, p.got[50]) }, 0},
		"one twice, one not at all": {func(p *planted) { p.got = slices.Delete(slices.Insert(p.got, 51, p.got[50]), 60, 61) }, 1},
		"the first and the last change places with their neighbours": {func(p *planted) {
			n := len(p.got)
			p.got[0], p.got[1], p.got[n-2], p.got[n-1] = p.got[1], p.got[0], p.got[n-1], p.got[n-2]
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := plant()
			c.spoil(p)
			file := filepath.Join(t.TempDir(), "far")
			out, err := os.Create(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := gob.NewEncoder(out).Encode([]farCall{{Number: 4, Got: p.got}, {Number: 5}}); err != nil {
				t.Fatal(err)
			}
			if err := out.Close(); err != nil {
				t.Fatal(err)
			}
			var got result
			if err := got.fromSequence(file); err != nil {
				t.Fatal(err)
			}
			if got.Answered != 1 || got.Due != plantedFrames || got.Lost != c.lost {
				t.Errorf("%d calls, %d frames, %d lost; want 1, %d, %d", got.Answered, got.Due, got.Lost, plantedFrames, c.lost)
			}
		})
	}
}

// TestFramesDiffer checks the purpose of the far end's content: no frame of a call can be taken for
// another one of any call.
func TestFramesDiffer(t *testing.T) {
	t.Parallel()
	said, sums, seen := newContent(1), newDigester(), map[uint32]bool{}
	code := make([]byte, frameSize)
	for n := range 20 {
		for i := range 1000 {
			said.frame(code, n, i)
			seen[sums.sum(code)] = true
		}
	}
	if len(seen) < 20*1000-1 { // with a chance of one in twenty, two digests of 32 bits are equal
		t.Errorf("of 20000 frames %d differ", len(seen))
	}
}
