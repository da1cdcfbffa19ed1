package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// result is what a calling process reports. Frames are counted over all rooms.
type result struct {
	Rooms   int
	Minutes float64 // room minutes

	// Due are the frames that our side should have sent, Missed those that it never sent, and Lost
	// those that were sent but did not reach the agent. FarSent and FarLost are the same for the
	// agents' frames and our recording; Unheard are those of FarLost that the line knows of, and
	// Spoilt counts the rooms with a frame missing in either direction.
	Due, Missed, Lost int
	// LostFirst and LostLast are those of Lost before the first and after the last that came.
	LostFirst, LostLast       int
	FarSent, FarLost, Unheard int
	Spoilt                    int
	// Late are frames of ours that were sent more than 5 ms late, LateWorst is the largest lateness
	// of them in ms. P50, P99 and Worst are how late our frames reached the agent, including the
	// media server's time, against the schedule of the call.
	Late int
	// Behind is the largest delay with which our side's ordinary threads read packets, in ms.
	Behind                     float64
	LateWorst, P50, P99, Worst float64
	// AgentWorst is the largest delay of the agents themselves, in ms: it shows how busy the
	// machine was.
	AgentWorst float64
	late       []float64
}

// endSlack is the beginning and the end of a call (ns) in which frames may still be in transit.
const endSlack = 300_000_000

// compare looks for every frame of both sides at the other.
func (r *result) compare(file string, seed uint64, calls []*nearCall) error {
	agents, err := readAgents(file)
	if err != nil {
		return err
	}
	c, err := newContent(seed)
	if err != nil {
		return err
	}
	for _, n := range calls {
		if n.attempt.AnsweredAt.IsZero() {
			fmt.Fprintf(os.Stderr, "room %d was not talked in: %s %s\n", n.number, n.attempt.EndReason.Code, n.attempt.EndReason.Detail)
			continue
		}
		r.one(n, agents[n.number], c)
	}
	slices.Sort(r.late)
	if k := len(r.late); k > 0 {
		r.P50, r.P99, r.Worst = r.late[k/2], r.late[k*99/100], r.late[k-1]
	}
	return nil
}

func (r *result) one(n *nearCall, far heardRoom, c *content) {
	length, stats := n.attempt.EndedAt.Sub(n.attempt.AnsweredAt), n.attempt.Stats
	due := int((length - stats.Early).Nanoseconds() / frameTime)
	missed := max(due-int(stats.Sent), 0)
	span, holes := gaps(far.Got)
	lost := max(int(stats.Sent)-(span-holes), 0)
	farLost := r.theirs(n, far, c)
	r.Rooms++
	r.Minutes += length.Minutes()
	r.Due, r.Missed, r.Lost, r.FarLost = r.Due+due, r.Missed+missed, r.Lost+lost, r.FarLost+farLost
	first, last := ends(n, far.Got, lost, holes)
	r.LostFirst, r.LostLast = r.LostFirst+first, r.LostLast+last
	r.Behind = max(r.Behind, float64(stats.ReceiveLateMax)/1e6)
	r.Unheard += int(stats.Lost + stats.Late)
	r.Late += int(stats.SendLate)
	r.LateWorst = max(r.LateWorst, float64(stats.SendLateMax)/1e6)
	r.AgentWorst = max(r.AgentWorst, float64(far.Worst)/1e6)
	if missed+lost+farLost > 0 {
		r.Spoilt++
	}
	zero := n.attempt.AnsweredAt.Add(stats.Early).UnixNano() // when the first frame was due
	for _, a := range far.Got {
		i := int64((a.Stamp - far.Got[0].Stamp) / opusFrame)
		r.late = append(r.late, float64(a.At-zero-i*frameTime)/1e6)
	}
}

// ends returns how many of the lost frames were sent before the first that came, judging by its
// arrival, and how many after the last.
func ends(n *nearCall, got []arrival, lost, holes int) (first, last int) {
	if len(got) == 0 {
		return 0, lost
	}
	atEnds := max(lost-holes, 0)
	zero := n.attempt.AnsweredAt.Add(n.attempt.Stats.Early).UnixNano()
	first = min(max(int((got[0].At-zero)/frameTime), 0), atEnds)
	return first, atEnds - first
}

// theirs looks for the agent's tones on our recording. Only those count that were sent while our
// side was in the call.
func (r *result) theirs(n *nearCall, far heardRoom, c *content) (lost int) {
	pcm := n.tape.Channel(leg.AgentChannel)
	zero, end := n.attempt.AnsweredAt.UnixNano(), n.attempt.EndedAt.UnixNano()
	var frames []int
	for i := range far.Sent {
		at1 := far.Zero + int64(i)*frameTime
		if at1 > zero+endSlack && at1 < end-endSlack && c.tones[at(far.Room, i)] >= 0 {
			frames = append(frames, i)
		}
	}
	shift := align(pcm, frames, int((far.Zero-zero)*(rate/1000)/1_000_000), c, far.Room)
	r.FarSent += len(frames)
	for _, i := range frames {
		if !stands(pcm, i*frameSize+shift, c.tones[at(far.Room, i)]) {
			lost++
		}
	}
	return lost
}

// align returns where on the recording the agent's frame 0 would be: the middle of the positions at
// which most of the first frames are found.
func align(pcm []int16, frames []int, guess int, c *content, room int) int {
	some := frames[:min(len(frames), 60)]
	var best []int
	most := 1
	for shift := guess - frameSize; shift <= guess+25*frameSize; shift += rate / 1000 {
		found := 0
		for _, i := range some {
			if stands(pcm, i*frameSize+shift, c.tones[at(room, i)]) {
				found++
			}
		}
		if found > most {
			best, most = nil, found
		}
		if found == most {
			best = append(best, shift)
		}
	}
	if len(best) == 0 {
		return guess
	}
	return best[len(best)/2]
}

// stands reports whether the middle of the frame at a position has the tone.
func stands(pcm []int16, pos, tone int) bool {
	const edge = frameSize / 5
	return pos >= 0 && pos+frameSize <= len(pcm) && heard(pcm[pos+edge:pos+frameSize-edge]) == tone
}
