package foreign

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/linetest"
	"github.com/ringtrue/ringtrue/internal/line/sip"
)

// modules is where Debian and Ubuntu install baresip's modules.
const modules = "/usr/lib/baresip/modules"

// baresip is a running baresip that answers immediately, plays a file and records what it hears.
type baresip struct {
	t     testing.TB
	cmd   *exec.Cmd
	dir   string
	addr  string
	done  chan struct{}
	mu    sync.Mutex
	print bytes.Buffer
}

// Write collects what baresip prints.
func (b *baresip) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.print.Write(p)
}

func (b *baresip) said() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.print.String()
}

// phone starts baresip with the audio to play. If to is not empty, baresip calls it. If another
// program takes the chosen port first, another port is tried.
func phone(t testing.TB, transport sip.Transport, says []int16, to string) *baresip {
	t.Helper()
	for {
		b, port := pickUp(t, transport, says, to)
		if comesUp(string(transport), port, b.done) {
			return b
		}
		b.stop()
		if !strings.Contains(b.said(), "Address already in use") {
			t.Fatalf("baresip does not listen: %s", b.said())
		}
	}
}

// pickUp starts baresip and returns it with its port.
func pickUp(t testing.TB, transport sip.Transport, says []int16, to string) (*baresip, int) {
	t.Helper()
	path := program(t, "baresip")
	if _, err := os.Stat(filepath.Join(modules, "aufile.so")); err != nil {
		t.Fatal("baresip's modules are not installed: make setup-test")
	}
	port := freePorts(t, 2)
	b := &baresip{t: t, dir: t.TempDir(), addr: fmt.Sprintf("127.0.0.1:%d", port), done: make(chan struct{})}
	var wav bytes.Buffer
	if err := audio.WriteWAV(&wav, rate, says); err != nil {
		t.Fatal(err)
	}
	b.write("says.wav", wav.Bytes())
	b.write("config", []byte(strings.NewReplacer("ADDR", b.addr, "DIR", b.dir, "MODULES", modules).Replace(`
sip_listen ADDR
net_interface 127.0.0.1
audio_player aubridge,heard
audio_source aufile,DIR/says.wav
audio_alert aufile,DIR/says.wav
audio_level no
call_max_calls 4
rtp_ports 33000-40000
module_path MODULES
module stdio.so
module g711.so
module aufile.so
module aubridge.so
module sndfile.so
snd_path DIR
module_tmp uuid.so
module_tmp account.so
module_app menu.so
`)))
	b.write("accounts", []byte("<sip:+15550123@127.0.0.1;transport="+string(transport)+">;regint=0;answermode=auto;audio_codecs=PCMU,PCMA\n"))
	b.write("contacts", nil)
	args := []string{"-f", b.dir, "-s"}
	if to != "" {
		args = append(args, "-e", "/dial "+to)
	}
	b.cmd = exec.CommandContext(t.Context(), path, args...)
	b.cmd.Dir, b.cmd.Stdout, b.cmd.Stderr = b.dir, b, b
	b.cmd.WaitDelay = time.Second
	stdin, err := b.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = b.cmd.Wait()
		close(b.done)
	}()
	t.Cleanup(func() {
		stdin.Close()
		b.stop()
	})
	return b, port
}

func (b *baresip) write(name string, data []byte) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), data, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// stop ends baresip in a way that lets it close its files.
func (b *baresip) stop() {
	_ = b.cmd.Process.Signal(os.Interrupt)
	select {
	case <-b.done:
	case <-time.After(10 * time.Second):
		_ = b.cmd.Process.Kill()
		<-b.done
	}
}

// heard ends baresip and returns what it recorded.
func (b *baresip) heard() []int16 {
	b.t.Helper()
	b.stop()
	names, _ := filepath.Glob(filepath.Join(b.dir, "dump-*-dec.wav"))
	if len(names) != 1 {
		b.t.Fatalf("baresip recorded %d calls\n%s", len(names), b.said())
	}
	f, err := os.Open(names[0])
	if err != nil {
		b.t.Fatal(err)
	}
	defer f.Close()
	w, err := audio.ReadWAV(f, 64<<20)
	if err != nil {
		b.t.Fatal(err)
	}
	if w.Rate != rate || len(w.Channels) != 1 {
		b.t.Fatalf("baresip recorded %d channels at %d Hz", len(w.Channels), w.Rate)
	}
	return w.Channels[0]
}

// What both sides of a call with baresip say.
var (
	callerSays = []burst{{Hz: 440, From: 300 * time.Millisecond, To: 900 * time.Millisecond}, {Hz: 1150, From: 1500 * time.Millisecond, To: 2 * time.Second}}
	agentSays  = []burst{{Hz: 700, From: 500 * time.Millisecond, To: 1200 * time.Millisecond}, {Hz: 1700, From: 1600 * time.Millisecond, To: 2100 * time.Millisecond}}
)

// toPhone returns a call to baresip's own account.
func toPhone() leg.Dial {
	d := dial()
	d.To = "+15550123"
	return d
}

func TestBaresipAnswers(t *testing.T) {
	t.Parallel()
	transports(t, func(t *testing.T, transport sip.Transport) {
		t.Helper()
		var b *baresip
		var tape *leg.Tape
		var stats call.LineStats
		if !linetest.Fairly(t, func(m *linetest.Machine) string {
			b = phone(t, transport, sing(4*rate, agentSays...), "")
			l := lineTo(t, sip.Trunk{Name: "foreign", Host: b.addr, Transport: transport})
			tape = leg.NewTape(time.Minute)
			party := &talker{says: callerSays, hangUpAt: 2800 * time.Millisecond}
			a := l.Place(t.Context(), toPhone(), party, tape)
			ended(t, a, "", "")
			if a.AnsweredAt.IsZero() {
				t.Fatalf("not answered: %+v\n%s", a.EndReason, b.said())
			}
			stats = a.Stats
			return cmp.Or(starved(a), party.stalled(), m.Stalled(longStall))
		}) {
			return
		}
		if stats.Lost != 0 || stats.Received < 100 {
			t.Errorf("%+v", stats)
		}
		back := tape.Channel(leg.AgentChannel)
		at := hears(t, "what our recording has of baresip", back, agentSays...)
		if at < 200*time.Millisecond || at > 1500*time.Millisecond {
			t.Errorf("what baresip says half a second after its answer is laid at %v", at)
		}
		// Each third is compared separately, and the middle one is enough: baresip's own clock may
		// stall once in a burst, which is then on our recording as well.
		said := sing(samples(2100*time.Millisecond), agentSays...)
		for _, b := range agentSays {
			var like []float64
			for i := range 3 {
				from := samples(b.From + (b.To-b.From)*time.Duration(i)/3)
				piece := said[from : from+samples(b.To-b.From)/3]
				place := samples(at-agentSays[0].From) + from
				c, _ := likeness(back, piece, place-400, place+400)
				like = append(like, c)
			}
			if slices.Sort(like); like[1] < 0.95 {
				begins := samples(at - agentSays[0].From + b.From)
				t.Errorf("of the tone of %v Hz our recording correlates with baresip's file by %.3f; frame by frame %.2f",
					b.Hz, like, frameByFrame(back, said[samples(b.From):samples(b.To)], begins))
			}
		}
		hears(t, "what our recording has of ourselves", tape.Channel(leg.CallerChannel), callerSays...)
		hears(t, "what baresip recorded of us", b.heard(), callerSays...)
	})
}

func TestBaresipHangsUp(t *testing.T) {
	t.Parallel()
	transports(t, func(t *testing.T, transport sip.Transport) {
		t.Helper()
		b := phone(t, transport, sing(4*rate, agentSays...), "")
		l := lineTo(t, sip.Trunk{Name: "foreign", Host: b.addr, Transport: transport})
		d := toPhone()
		answered := make(chan struct{})
		d.OnState = func(s leg.State) {
			if s == leg.Answered {
				close(answered)
			}
		}
		go func() {
			<-answered
			time.Sleep(300 * time.Millisecond)
			_ = b.cmd.Process.Signal(os.Interrupt) // it hangs up its calls
		}()
		ended(t, l.Place(t.Context(), d, &talker{}, leg.NewTape(time.Minute)), call.EndAgentHungUp, call.BlameAgent)
	})
}

func TestBaresipCalls(t *testing.T) {
	t.Parallel()
	transports(t, func(t *testing.T, transport sip.Transport) {
		t.Helper()
		var b *baresip
		var tape *leg.Tape
		if !linetest.Fairly(t, func(m *linetest.Machine) string {
			over := make(chan struct{})
			tape = leg.NewTape(time.Minute)
			party := &talker{says: agentSays, hangUpAt: 2800 * time.Millisecond}
			s := serverFor(t, func(_ context.Context, in leg.Incoming) leg.Answer {
				if in.To != "+15559999999" || in.From != "+15550123" {
					t.Errorf("the call is from %q to %q", in.From, in.To)
				}
				return leg.Answer{Party: party, Tape: tape, Done: func() { close(over) }}
			})
			b = phone(t, transport, sing(4*rate, callerSays...), "sip:+15559999999@"+s.Addr().String()+";transport="+string(transport))
			select {
			case <-over:
			case <-time.After(time.Minute):
				t.Fatalf("the call never ended\n%s", b.said())
			}
			return cmp.Or(party.stalled(), m.Stalled(longStall))
		}) {
			return
		}
		hears(t, "what our recording has of baresip", tape.Channel(leg.CallerChannel), callerSays...)
		hears(t, "what baresip recorded of us", b.heard(), agentSays...)
	})
}
