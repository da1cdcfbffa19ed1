package main

import (
	"encoding/binary"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// slots is the number of slots of 1 ms in the time of a frame.
const slots = 20

const slotTime = frameTime / slots

// farLoop speaks and listens for every call of the far end, on a thread of its own.
type farLoop struct {
	far   *far
	lanes [slots][]*farLeg
	turn  int
	mail  *mail
	sums  *digester
	empty chan chan struct{}
	frame [12 + frameSize]byte
}

func newFarLoop(f *far) *farLoop {
	return &farLoop{far: f, mail: newMail(), sums: newDigester(), empty: make(chan chan struct{}, 1)}
}

// drained waits until the loop has ended every call.
func (l *farLoop) drained() {
	done := make(chan struct{})
	l.empty <- done
	<-done
}

func (l *farLoop) run() {
	runtime.LockOSThread()
	favour()
	slot := monotonic() / slotTime
	for {
		slot++
		for monotonic() < slot*slotTime {
			sleepUntil(slot * slotTime)
		}
		lane := int(slot % slots)
		l.take()
		l.work(lane)
		if lane == 0 {
			l.tell()
		}
	}
}

// favour requests the same scheduling preference as our own loop.
func favour() {
	const nice = -10
	attr := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_RR, Priority: 1, Flags: unix.SCHED_FLAG_RESET_ON_FORK}
	if unix.SchedSetAttr(0, &attr, 0) != nil {
		_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), nice)
	}
}

// take assigns new calls to slots, one after the other.
func (l *farLoop) take() {
	f := l.far
	f.mu.Lock()
	fresh := f.fresh
	f.fresh = nil
	f.mu.Unlock()
	for _, leg := range fresh {
		_ = unix.SetsockoptInt(leg.fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1)
		_ = unix.Connect(leg.fd, kernelAddress(leg.remote))
		leg.Sent = make([]int64, 0, 4096)
		leg.Got = make([]arrival, 0, 4096)
		leg.seq, leg.stamp = uint16(leg.Number*7), uint32(leg.Number*1000)
		// The slots are in an order of their own, so that the two ends do not work at the same
		// moments.
		l.lanes[l.turn%slots] = append(l.lanes[l.turn%slots], leg)
		l.turn += 7
	}
}

func (l *farLoop) work(lane int) {
	list := l.lanes[lane]
	l.far.mu.Lock()
	for _, leg := range list {
		leg.ended = leg.over
	}
	l.far.mu.Unlock()
	kept := list[:0]
	for _, leg := range list {
		l.listen(leg)
		if leg.ended {
			_ = unix.Close(leg.fd)
			_ = unix.Close(leg.reports)
			continue
		}
		l.speak(leg)
		kept = append(kept, leg)
	}
	l.lanes[lane] = kept
}

func (l *farLoop) listen(leg *farLeg) {
	for range 64 {
		b, at, ok := l.mail.receive(leg.fd)
		if !ok {
			return
		}
		if len(b) < 12 || b[1]&0x7f != 0 { // anything but audio
			continue
		}
		leg.Got = append(leg.Got, arrival{
			At: at, SSRC: binary.BigEndian.Uint32(b[8:]), Stamp: binary.BigEndian.Uint32(b[4:]), Seq: binary.BigEndian.Uint16(b[2:]),
			Size: uint16(len(b) - 12), Sum: l.sums.sum(b[12:]),
		})
	}
}

func (l *farLoop) speak(leg *farLeg) {
	writeHeader(l.frame[:], leg.seq, leg.stamp, uint32(leg.Number))
	l.far.content.frame(l.frame[12:], leg.Number, len(leg.Sent))
	leg.Sent = append(leg.Sent, time.Now().UnixNano())
	if unix.Send(leg.fd, l.frame[:], unix.MSG_DONTWAIT) != nil {
		_ = unix.Send(leg.fd, l.frame[:], unix.MSG_DONTWAIT) // the first attempt may report an older error
	}
	leg.seq++
	leg.stamp += frameSize
}

// tell answers those who wait for the loop to be empty.
func (l *farLoop) tell() {
	for _, lane := range l.lanes {
		if len(lane) > 0 {
			return
		}
	}
	select {
	case done := <-l.empty:
		close(done)
	default:
	}
}

// writeHeader writes the RTP header of a mu-law packet.
func writeHeader(b []byte, seq uint16, stamp, ssrc uint32) {
	b[0], b[1] = 0x80, 0
	binary.BigEndian.PutUint16(b[2:], seq)
	binary.BigEndian.PutUint32(b[4:], stamp)
	binary.BigEndian.PutUint32(b[8:], ssrc)
}
