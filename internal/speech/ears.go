package speech

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// The program reads its input in blocks and decodes each before it reads the next. So there is
// an exact way to know that it has finished an utterance: once it has taken a later block out
// of the pipe, everything before is decoded and printed.
const (
	blockSamples = 2048
	blockBytes   = 2 * blockSamples
	// earsSilence is the silence written after an utterance; the program ends an utterance after 0.5 s.
	earsSilence = sphinxRate
	// earsBuffer bounds the audio queued for a slow program: 30 s.
	earsBuffer = 30 * sphinxRate
	// earsKeep bounds the buffers that are reused: 2 s, more than is usually queued.
	earsKeep = 2 * sphinxRate
	// earsPatience is the default time to wait for the words of a turn; then an empty result is delivered.
	earsPatience = 5 * time.Second
	// earsLimit is how long the program may accept no input before it is considered dead.
	earsLimit = 20 * time.Second
)

// sphinxEars are the ears of one call: one program and one goroutine.
type sphinxEars struct {
	cmd    *exec.Cmd
	in     *os.File // we write
	out    *os.File // we read, without blocking
	done   func()
	marker int // number of further blocks after whose acceptance a block is certainly decoded
	// patience is how long to wait for the words of a turn.
	patience time.Duration

	mu sync.Mutex
	up upsampler
	// wide is set for 16 kHz input. It is still reduced to the telephone band, for which everything
	// else is tuned, and silent frames are dropped: rooms send silence as noise of the lowest
	// level, which would distort the cepstral mean by which the program normalises its input.
	wide    bool
	down    halver
	band    []int16
	heard   []int16
	lent    []int16 // the audio being fed; its memory is reused for heard
	asked   []ask
	closed  bool
	wake    chan struct{}
	stopped chan struct{}

	printed []byte
	fed     int // samples written so far
	failure error
}

// ask is a request for the words of everything before sample index upTo of heard.
type ask struct {
	letter *leg.Letter[leg.Words]
	upTo   int
}

func (s *sphinx) newEars(ctx context.Context, o EarsOptions) (leg.Ears, error) {
	if err := checkEnglish(o.Language); err != nil {
		return nil, err
	}
	path, err := s.programs.find(sphinxProgram)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := s.prepareEars(o)
	if err != nil {
		return nil, err
	}
	e, err := startEars(path, p, o)
	if err != nil {
		p.done()
		return nil, err
	}
	go e.work()
	return e, nil
}

func (s *sphinx) prepareEars(o EarsOptions) (*prepared, error) {
	if o.Grammar != "" {
		return s.prepareGrammar(o.Grammar)
	}
	return s.prepare(o.Hints, nil)
}

func startEars(path string, p *prepared, o EarsOptions) (*sphinxEars, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a pipe: %w", err), childIn.Close(), in.Close())
	}
	e := &sphinxEars{
		in: in, out: out, done: p.done, marker: pipeBlocks(in) + 1,
		wide: o.Rate == sphinxRate, patience: cmp.Or(o.Patience, earsPatience), wake: make(chan struct{}, 1), stopped: make(chan struct{}),
	}
	e.cmd = exec.Command(path, //nolint:noctx // ears outlive the call that makes them and end with Close
		append(p.args, "-infile", "/dev/stdin")...)
	e.cmd.Stdin, e.cmd.Stdout = childIn, childOut
	err = e.cmd.Start()
	_ = childIn.Close()
	_ = childOut.Close()
	if err != nil {
		_ = in.Close()
		_ = out.Close()
		return nil, problem.New(problem.Unavailable, "the program %q could not be started", sphinxProgram).Because(err)
	}
	lowerPriority(e.cmd.Process.Pid, prioLive)
	return e, nil
}

// Hear implements leg.Ears.
func (e *sphinxEars) Hear(pcm []int16) {
	e.mu.Lock()
	if !e.closed {
		e.makeRoom()
		if e.wide {
			e.band = e.down.append(e.band[:0], pcm)
			if pcm = e.band; hiss(pcm) {
				clear(pcm)
			}
		}
		e.heard = e.up.append(e.heard, pcm)
	}
	e.mu.Unlock()
	e.ring()
}

// makeRoom drops the older half of the audio that the program has not taken yet when there is
// too much of it: a request for the last words needs the end.
func (e *sphinxEars) makeRoom() {
	if len(e.heard) < earsBuffer {
		return
	}
	gone := len(e.heard) / 2
	e.heard = append(e.heard[:0], e.heard[gone:]...)
	for i := range e.asked {
		e.asked[i].upTo = max(0, e.asked[i].upTo-gone)
	}
}

// hissPeak is the largest sample of a silent frame: -78 dBFS.
const hissPeak = 4

// hiss reports whether a frame holds nothing audible.
func hiss(pcm []int16) bool {
	for _, v := range pcm {
		if v > hissPeak || v < -hissPeak {
			return false
		}
	}
	return true
}

// Words implements leg.Ears.
func (e *sphinxEars) Words(l *leg.Letter[leg.Words]) {
	e.mu.Lock()
	if !e.closed {
		e.asked = append(e.asked, ask{letter: l, upTo: len(e.heard)})
	}
	e.mu.Unlock()
	e.ring()
}

// Close implements leg.Ears. It returns once the program has exited.
func (e *sphinxEars) Close() {
	e.mu.Lock()
	already := e.closed
	e.closed = true
	e.mu.Unlock()
	if !already {
		_ = e.cmd.Process.Kill()
		_ = e.in.SetWriteDeadline(time.Unix(1, 0))
		e.ring()
	}
	<-e.stopped
}

func (e *sphinxEars) ring() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// work feeds the program until Close.
func (e *sphinxEars) work() {
	defer close(e.stopped)
	defer e.tidy()
	for range e.wake {
		for {
			pcm, letter, more, closed := e.next()
			if closed {
				return
			}
			e.feed(pcm)
			if letter != nil {
				e.answer(letter)
			}
			if !more {
				break
			}
		}
	}
}

// next returns the audio up to the first request, and the request's letter. pcm is valid until
// the next call. A media thread may be waiting for the lock: nothing is allocated here if
// possible, since an allocation can be held up by the garbage collector.
func (e *sphinxEars) next() (pcm []int16, letter *leg.Letter[leg.Words], more, closed bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, nil, false, true
	}
	end := len(e.heard)
	if len(e.asked) > 0 {
		end, letter = e.asked[0].upTo, e.asked[0].letter
		e.asked = e.asked[1:]
		for i := range e.asked {
			e.asked[i].upTo -= end
		}
	}
	pcm, rest := e.heard[:end], e.heard[end:]
	if cap(e.lent) > earsKeep {
		e.lent = nil
	}
	e.heard, e.lent = append(e.lent[:0], rest...), pcm
	return pcm, letter, len(e.heard) > 0 || len(e.asked) > 0, false
}

func (e *sphinxEars) tidy() {
	_ = e.cmd.Process.Kill()
	_ = e.in.Close()
	_ = e.cmd.Wait()
	_ = e.out.Close()
	e.done()
}

// feed writes samples to the program. A failure is kept for the next answer.
func (e *sphinxEars) feed(pcm []int16) {
	if len(pcm) == 0 || e.failure != nil {
		return
	}
	dead := time.AfterFunc(earsLimit, func() { _ = e.in.SetWriteDeadline(time.Unix(1, 0)) })
	defer dead.Stop()
	e.write(bytesOf(pcm))
	e.fed += len(pcm)
	e.collect()
}

func (e *sphinxEars) write(b []byte) {
	for len(b) > 0 && e.failure == nil {
		n, err := e.in.Write(b[:min(len(b), blockBytes)])
		if err != nil {
			e.failure = problem.New(problem.Unavailable, "the recogniser stopped in the middle of a call").Because(err)
			return
		}
		b = b[n:]
		e.collect()
	}
}

// answer ends the utterance, waits until the program has decoded it, and delivers what it printed.
func (e *sphinxEars) answer(l *leg.Letter[leg.Words]) {
	late := time.AfterFunc(e.patience, func() { l.Deliver(leg.Words{}) })
	e.sync()
	if !late.Stop() {
		// An empty result was delivered already; these words belong to no request.
		e.printed = e.printed[:0]
		return
	}
	w := leg.Words{Text: hypotheses(e.printed)}
	if w.Text == "" {
		w.Err = e.failure
	}
	e.printed = e.printed[:0]
	e.mu.Lock()
	closed := e.closed
	e.mu.Unlock()
	if !closed {
		l.Deliver(w)
	}
}

// sync writes silence up to the end of a block, and then enough blocks that the last of them
// can only be written once the silence has been decoded.
func (e *sphinxEars) sync() {
	n := earsSilence
	if rest := (e.fed + n) % blockSamples; rest > 0 {
		n += blockSamples - rest
	}
	e.feed(make([]int16, n))
	e.feed(make([]int16, e.marker*blockSamples))
}

// collect reads what the program has printed so far, without waiting.
func (e *sphinxEars) collect() {
	raw, err := e.out.SyscallConn()
	if err != nil {
		return
	}
	buf := make([]byte, 4096)
	for {
		n := 0
		_ = raw.Read(func(fd uintptr) bool {
			n, _ = syscall.Read(int(fd), buf)
			return true
		})
		if n <= 0 {
			return
		}
		if len(e.printed) < 1<<16 {
			e.printed = append(e.printed, buf[:n]...)
		}
	}
}

// hypotheses joins the lines printed by the program into the words of one turn.
func hypotheses(printed []byte) string {
	words := strings.Fields(string(printed))
	kept := words[:0]
	for _, w := range words {
		if w = plainWord(w); w != "" {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}
