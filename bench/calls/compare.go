package main

import (
	"encoding/gob"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// result is what a calling process reports. Frames are counted over all calls.
type result struct {
	User, System float64 // CPU seconds
	Minutes      float64 // call minutes on the line
	Answered     int

	// Due are the frames that our side should have sent, Missed those that it never sent, and Lost
	// those that were sent but not found at the far end with the content that the recording has.
	// FarSent and FarLost are the same for the far end's frames and our recording. Spoilt counts
	// the calls with any of these. FarShort are frames in the far end's pauses that are there
	// except for a few samples, which gave way to audio that turned out to be earlier.
	Due, Missed, Lost          int
	FarSent, FarLost, FarShort int
	Spoilt                     int

	// P50 to Worst are the latenesses of all our frames in ms: the far kernel's arrival time
	// against the schedule of the call.
	P50, P99, P999, Worst float64
	Over5, Over60         int

	MemoryKB, TapeKB float64
	// Stolen is the share of processor time that a host took away during the run, in percent.
	Stolen float64
	// In an overload, Most is the maximum number of simultaneous calls, Waited how many had to wait
	// to be admitted, and LongestWait the longest wait in seconds.
	Most, Waited int
	LongestWait  float64
}

// endSlack is the end of a call (ns) in which the far end's frames may still be in transit.
const endSlack = 60_000_000

func readFar(file string) (map[int]*farCall, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var all []farCall
	if err := gob.NewDecoder(in).Decode(&all); err != nil {
		return nil, err
	}
	calls := make(map[int]*farCall, len(all))
	for i := range all {
		calls[all[i].Number] = &all[i]
	}
	return calls, nil
}

// compareNear looks for every frame of both sides at the other.
func compareNear(order string, seed uint64, calls []*nearCall, out *result) error {
	file, ok := strings.CutPrefix(order, "compare ")
	if !ok {
		return fmt.Errorf("an order that is none: %q", order)
	}
	far, err := readFar(file)
	if err != nil {
		return err
	}
	c := &comparison{content: newContent(seed), sums: newDigester(), out: out}
	for _, n := range calls {
		if n.attempt.AnsweredAt.IsZero() {
			fmt.Fprintf(os.Stderr, "call %d was not answered: %s %s\n", n.number, n.attempt.EndReason.Code, n.attempt.EndReason.Detail)
			continue
		}
		f := far[n.number]
		if f == nil {
			return fmt.Errorf("the far end knows nothing of call %d", n.number)
		}
		c.call(n, f)
	}
	c.latenesses()
	return nil
}

// comparison examines the calls one by one.
type comparison struct {
	content *content
	sums    *digester
	late    []float64
	out     *result
}

func (c *comparison) call(n *nearCall, f *farCall) {
	length := n.attempt.EndedAt.Sub(n.attempt.AnsweredAt)
	c.out.Answered++
	c.out.Minutes += length.Minutes()
	missed, lost := c.ours(n, f, int((length-n.attempt.Stats.Early).Nanoseconds()/frameTime))
	farLost := c.theirs(n, f)
	if missed+lost+farLost == 0 {
		return
	}
	if c.out.Spoilt++; c.out.Spoilt <= 5 {
		fmt.Fprintln(os.Stderr, c.told(n, f, missed, lost, farLost))
	}
}

// told describes what is known of a spoilt call.
func (c *comparison) told(n *nearCall, f *farCall, missed, lost, farLost int) string {
	s := n.attempt.Stats
	var text strings.Builder
	fmt.Fprintf(&text, "call %d: %d frames never sent, %d of %d lost on the way there, %d back; the far end got %d and %d strays, "+
		"we got %d, missed %d and threw %d away; ended %s",
		n.number, missed, lost, s.Sent, farLost, len(f.Got), f.Strays, s.Received, s.Lost, s.ReceiveDropped, n.attempt.EndReason.Code)
	for _, e := range n.attempt.Timeline {
		if e.Kind == call.KindSourceChanged || e.Kind == call.KindMediaGap {
			fmt.Fprintf(&text, "; %s at %s %v", e.Kind, e.At, e.Data)
		}
	}
	return text.String()
}

// ours looks at the far end for what our recording says we sent. A call may end within a frame that
// was sent but not due.
func (c *comparison) ours(n *nearCall, f *farCall, due int) (missed, lost int) {
	sent := int(n.attempt.Stats.Sent)
	sums := c.recorded(n.tape.Channel(leg.CallerChannel), max(due, sent)+int(n.attempt.Stats.Early/frameTime))
	first := c.align(sums, f.Got)
	found := make([]bool, len(sums))
	zero := n.attempt.AnsweredAt.UnixNano()
	for _, a := range f.Got {
		i := first + int(int32(a.Stamp-f.Got[0].Stamp))/frameSize
		if i < 0 || i >= len(found) || found[i] || a.Sum != sums[i] || a.Size != frameSize {
			continue
		}
		found[i] = true
		late := float64(a.At-zero-int64(i)*frameTime) / 1e6
		if late > 5 {
			c.out.Over5++
		}
		if late > 60 {
			c.out.Over60++
		}
		c.late = append(c.late, late)
	}
	there := 0
	for _, ok := range found {
		if ok {
			there++
		}
	}
	missed, lost = max(due-sent, 0), max(sent-there, 0)
	c.out.Due += due
	c.out.Missed += missed
	c.out.Lost += lost
	return missed, lost
}

// recorded returns the digests of our own first n frames as they are on the recording.
func (c *comparison) recorded(pcm []int16, n int) []uint32 {
	sums := make([]uint32, n)
	code := make([]byte, frameSize)
	frame := make([]int16, frameSize)
	for i := range sums {
		clear(frame)
		if at := i * frameSize; at < len(pcm) {
			copy(frame, pcm[at:])
		}
		audio.EncodeMuLaw(code, frame)
		sums[i] = c.sums.sum(code)
	}
	return sums
}

// align finds which of our frames the far end's first packet is: the first one, unless that was
// lost.
func (c *comparison) align(sums []uint32, got []arrival) int {
	best, most := 0, -1
	for first := range 50 {
		same := 0
		for _, a := range got {
			i := first + int(int32(a.Stamp-got[0].Stamp))/frameSize
			if i >= 0 && i < len(sums) && sums[i] == a.Sum {
				same++
			}
		}
		if same > most {
			best, most = first, same
		}
		if same == len(got) {
			break
		}
	}
	return best
}

// theirs looks for the far end's frames on our recording. Only those count that were sent while our
// side was on the line. A first frame that was sent late may, by the clock of those after it,
// belong before the beginning of our recording.
func (c *comparison) theirs(n *nearCall, f *farCall) (lost int) {
	pcm := n.tape.Channel(leg.AgentChannel)
	zero, end := n.attempt.AnsweredAt.UnixNano(), n.attempt.EndedAt.UnixNano()
	var t trail
	var unplaced []int // frames not found before the first that was
	for i, at := range f.Sent {
		if at < zero || at > end-endSlack {
			continue
		}
		if !t.known {
			t.shift = int((at-zero)*rate/1e9) - i*frameSize
		}
		pos, cut, ok := c.place(pcm, n.number, i, &t)
		if cut > 0 {
			c.out.FarShort++
		}
		switch {
		case !ok && !t.known:
			unplaced = append(unplaced, i)
			continue
		case !ok:
			t.misses()
		default:
			known := t.known
			t.finds(pcm, i, pos, cut)
			if !known {
				unplaced = slices.DeleteFunc(unplaced, func(u int) bool { return u*frameSize+t.shift < 0 })
			}
		}
		c.out.FarSent++
	}
	lost = t.lost + len(unplaced)
	c.out.FarSent += len(unplaced)
	c.out.FarLost += lost
	return lost
}

func (c *comparison) latenesses() {
	if len(c.late) == 0 {
		return
	}
	slices.Sort(c.late)
	at := func(q float64) float64 { return c.late[min(int(q*float64(len(c.late))), len(c.late)-1)] }
	c.out.P50, c.out.P99, c.out.P999, c.out.Worst = at(0.5), at(0.99), at(0.999), c.late[len(c.late)-1]
}
