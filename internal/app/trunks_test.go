package app

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/line/sip"
)

// trunkCase is a trunk that does something bad, and what a user must be told.
type trunkCase struct {
	name string
	// script plays each call at the far end; nil with a mute far end means that
	// nobody gets that far.
	script func(*farEndCall)
	// mute leaves even OPTIONS unanswered; closed has nobody listen at all.
	mute, closed bool
	transport    sip.Transport

	// refused is the detail of a run that does not even start.
	refused string
	// The calls of a run that starts end like this.
	status, code, blame, detail string
	verdict                     string
	// reason is what the reason of the verdict must hold.
	reason string
	// kinds must be on the timeline.
	kinds []string
	// byes is how many calls of ours must be hung up by us.
	hangsUp bool
	// flood says that it costs this machine so much that few may run at a time,
	// and one call of each.
	flood bool
}

// floods is how many floods run at a time: more would starve their own far ends.
const floods = 2

// pcm of 20 ms as a far end sends it when it says nothing.
func speakThenListen(c *farEndCall, from *net.UDPConn, change func(int, *packet)) {
	c.answer()
	c.talk(from, 40*time.Second, false, func(i int, p *packet) {
		p.loud = i%150 < 50 // a second of speech every three
		if change != nil {
			change(i, p)
		}
	})
}

func refuse(code int, reason string, headers ...string) func(*farEndCall) {
	return func(c *farEndCall) { c.reply(c.invite, code, reason, "", headers...) }
}

const completed = "completed"

func trunkCases(t *testing.T) []trunkCase {
	answerWith := func(sdp string) func(*farEndCall) {
		return func(c *farEndCall) { c.reply(c.invite, 200, "OK", sdp); c.untilOver() }
	}
	return []trunkCase{
		{name: "down", closed: true, refused: `trunk "down" does not answer at $HOST over udp`},
		{name: "down-tcp", closed: true, transport: sip.TCP, refused: `trunk "down-tcp" does not answer at $HOST over tcp`},
		{name: "deaf", mute: true, refused: `trunk "deaf" does not answer at $HOST over udp`},
		{name: "ignores-invites", script: func(*farEndCall) {}, status: "FAILED", code: "unreachable", blame: "line", detail: "no reply from the trunk", verdict: "void"},
		{name: "overloaded", script: refuse(503, "Service Unavailable", "Retry-After: 30"), status: "FAILED", code: "unreachable", blame: "line",
			detail: "503 Service Unavailable (try again after 30 s)", verdict: "void", reason: "says nothing about the agent"},
		{name: "broken", script: refuse(500, "Server Internal Error"), status: "FAILED", code: "unreachable", blame: "line", detail: "500 Server Internal Error", verdict: "void"},
		{name: "wants-password", script: refuse(401, "Unauthorized", `WWW-Authenticate: Digest realm="x", nonce="y"`), status: "FAILED", code: "unreachable", blame: "line",
			detail: "401 Unauthorized: the trunk does not accept user and password", verdict: "void"},
		{name: "moved", script: refuse(302, "Moved Temporarily"), status: "FAILED", code: "unreachable", blame: "line", verdict: "void",
			detail: "302 Moved Temporarily to sip:far@$HOST (redirects are not followed)"},
		{name: "busy", script: refuse(486, "Busy Here"), status: "FAILED", code: "busy", blame: "agent", detail: "486 Busy Here", verdict: "failed"},
		{name: "rings", script: func(c *farEndCall) { c.reply(c.invite, 180, "Ringing", ""); c.untilOver() }, status: "FAILED", code: "no_answer", blame: "agent",
			detail: "rang without an answer", verdict: "failed"},
		{name: "no-description", script: answerWith(""), status: "FAILED", code: "codec_mismatch", blame: "line", detail: "the session description has no audio over RTP/AVP", verdict: "void", hangsUp: true},
		{name: "garbage-description", script: answerWith(strings.Repeat("m=audio x\r\n\x00", 50)), status: "FAILED", code: "codec_mismatch", blame: "line", detail: `the media line "audio x" is too short`, verdict: "void", hangsUp: true},
		{name: "other-codec", script: answerWith("v=0\r\no=f 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 18\r\n"),
			status: "FAILED", code: "codec_mismatch", blame: "line", detail: "the answer has no codec that was offered", verdict: "void", hangsUp: true},
		{name: "silent", script: func(c *farEndCall) { c.answer(); c.untilOver() }, status: "ENDED", code: "media_lost", blame: "line", detail: "no audio ever came", verdict: "void", hangsUp: true},
		{name: "stops", script: func(c *farEndCall) { c.answer(); c.talk(c.rtp, time.Second, true, nil); c.untilOver() },
			status: "ENDED", code: "media_lost", blame: "line", detail: "the agent's audio stopped", verdict: "void", hangsUp: true},
		{name: "from-elsewhere", script: func(c *farEndCall) {
			other := udpSocket(t)
			defer other.Close()
			speakThenListen(c, other, nil)
		}, status: "ENDED", code: completed, blame: "nobody", kinds: []string{"media_source_changed"}, hangsUp: true},
		{name: "two-sources", script: func(c *farEndCall) {
			other := udpSocket(t)
			defer other.Close()
			speakThenListen(c, c.rtp, func(i int, _ *packet) {
				if i > 5 {
					c.write(other, packet{seq: uint16(i), stamp: uint32(i * 160), ssrc: 99, loud: true}.bytes(), c.media.String())
				}
			})
		}, status: "ENDED", code: completed, blame: "nobody", hangsUp: true},
		{name: "hangs-up-at-once", script: func(c *farEndCall) { c.answer(); c.request("BYE") }, status: "ENDED", code: "agent_hung_up", blame: "agent", verdict: "failed"},
		{name: "hangs-up-twice", script: func(c *farEndCall) {
			c.answer()
			c.talk(c.rtp, time.Second, true, nil)
			c.request("BYE")
			c.request("BYE")
			c.seq--
			c.request("BYE")
		}, status: "ENDED", code: "agent_hung_up", blame: "agent", verdict: "failed"},
		{name: "rtp-flood", flood: true, script: func(c *farEndCall) {
			speakThenListen(c, c.rtp, func(i int, p *packet) {
				for n := range 99 { // a hundred times what was agreed, all of it plausible
					c.write(c.rtp, packet{seq: uint16(i*100 + n), stamp: uint32(i * 160), ssrc: 7, loud: p.loud}.bytes(), c.media.String())
				}
				p.seq = uint16(i*100 + 99)
			})
		}, status: "ENDED", code: completed, blame: "nobody", hangsUp: true},
		{name: "garbage-flood", flood: true, script: func(c *farEndCall) {
			huge, stray := make([]byte, 60_000), make([]byte, 172)
			_, _ = rand.Read(huge)
			speakThenListen(c, c.rtp, func(i int, _ *packet) {
				for n := range 30 {
					c.write(c.rtp, huge[n*7:n*7+n*50], c.media.String())
				}
				c.write(c.rtp, huge, c.media.String())
				c.write(c.rtp, nil, c.media.String())
				// Noise that happens to look like audio, as one in thousands does.
				copy(stray[1:], huge[i%1000*12:])
				stray[0], stray[1] = 0x80, 0
				c.write(c.rtp, stray, c.media.String())
			})
		}, status: "ENDED", code: completed, blame: "nobody", hangsUp: true},
		{name: "rtcp-flood", flood: true, script: func(c *farEndCall) {
			control := fmt.Sprintf("127.0.0.1:%d", c.media.Port()+1)
			speakThenListen(c, c.rtp, func(i int, _ *packet) {
				report := make([]byte, 28+i%1000)
				_, _ = rand.Read(report)
				report[0], report[1] = 0x81, byte(200+i%8)
				binary.BigEndian.PutUint16(report[2:], 6)
				for range 30 {
					c.write(c.rtp, report, control)
					c.write(c.rtp, report, c.media.String())
				}
			})
		}, status: "ENDED", code: completed, blame: "nobody", hangsUp: true},
		{name: "sip-flood", flood: true, script: func(c *farEndCall) {
			to := c.invite.Source()
			garbage := make([]byte, 1200)
			_, _ = rand.Read(garbage)
			speakThenListen(c, c.rtp, func(i int, _ *packet) {
				for n := range 10 {
					c.write(c.sip, garbage[:n*100], to)
					c.write(c.sip, []byte("\r\n\r\n"), to)
					c.write(c.sip, fmt.Appendf(nil, "OPTIONS sip:x@%s SIP/2.0\r\nVia: SIP/2.0/UDP %s;branch=z9hG4bK%d-%d\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:x@y>\r\nCall-ID: %d-%d\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n",
						to, c.addr(), i, n, i, n), to)
					c.write(c.sip, fmt.Appendf(nil, "SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP %s;branch=z9hG4bKno\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:x@y>;tag=2\r\nCall-ID: %d\r\nCSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n", to, i), to)
				}
			})
		}, status: "ENDED", code: completed, blame: "nobody", hangsUp: true},
		{name: "key-flood", flood: true, script: func(c *farEndCall) {
			speakThenListen(c, c.rtp, func(i int, _ *packet) {
				for n := range 20 {
					c.write(c.rtp, keyPress(byte(n), uint16(30_000+i*20+n), uint32(i*160+n)), c.media.String())
				}
			})
		}, status: "ENDED", code: completed, blame: "nobody", hangsUp: true},
		{name: "lying-headers", script: func(c *farEndCall) {
			control := fmt.Sprintf("127.0.0.1:%d", c.media.Port()+1)
			speakThenListen(c, c.rtp, func(i int, p *packet) {
				lie := lies()[i%len(lies())](p.bytes())
				c.write(c.rtp, lie, c.media.String())
				c.write(c.rtp, lie, control)
			})
		}, status: "ENDED", code: completed, blame: "nobody", hangsUp: true},
		{name: "wild-clock", script: func(c *farEndCall) {
			dice := mathrand.NewChaCha8([32]byte{1}) // the same wildness each time
			speakThenListen(c, c.rtp, func(i int, p *packet) {
				var b [12]byte
				_, _ = dice.Read(b[:])
				if i%3 == 0 {
					p.seq, p.stamp, p.ssrc = binary.BigEndian.Uint16(b[:]), binary.BigEndian.Uint32(b[2:]), binary.BigEndian.Uint32(b[6:])
				}
			})
		}, status: "ENDED", code: completed, blame: "nobody", hangsUp: true},
	}
}

// lies turn a packet of audio into one that says of itself what is not so, or
// into a report that does; each is sent just before the true packet.
func lies() []func([]byte) []byte {
	first := func(b byte) func([]byte) []byte { return func(p []byte) []byte { p[0] = b; return p } }
	cut := func(n int) func([]byte) []byte { return func(p []byte) []byte { return p[:n] } }
	report := func(kind byte, words uint16, size int) func([]byte) []byte {
		return func(p []byte) []byte { // from the source of the audio
			out := make([]byte, size)
			out[0], out[1] = 0x81, kind
			binary.BigEndian.PutUint16(out[2:], words)
			copy(out[4:], p[8:12])
			return out
		}
	}
	return []func([]byte) []byte{
		func(p []byte) []byte { p[0] = 0x8f; return p[:20] }, // fifteen sources, and room for two
		func(p []byte) []byte { // an extension longer than the packet
			p[0] = 0x90
			binary.BigEndian.PutUint32(p[12:], 0xbede_ffff)
			return p
		},
		func(p []byte) []byte { p[0] = 0x90; return p[:14] },              // an extension that has no room for its head
		func(p []byte) []byte { p[0], p[len(p)-1] = 0xa0, 255; return p }, // more padding than packet
		func(p []byte) []byte { p[0], p[len(p)-1] = 0xa0, 0; return p },   // padding of nothing
		func(p []byte) []byte { p[0], p[len(p)-1] = 0xa0, 160; return p }, // nothing but padding
		first(0x00), first(0x40), first(0xc0), cut(11), cut(12), cut(1), cut(13), // other versions, and less than a packet
		report(200, 0xffff, 28), report(200, 6, 8), report(201, 7, 12), report(203, 1, 8), report(203, 0xffff, 8), report(204, 2, 12), report(205, 0, 4), // goodbyes of the voice itself among them
	}
}

// keyPress is one packet of a telephone event.
func keyPress(digit byte, seq uint16, stamp uint32) []byte {
	b := make([]byte, 16)
	b[0], b[1] = 0x80, 0x80|101
	binary.BigEndian.PutUint16(b[2:], seq)
	binary.BigEndian.PutUint32(b[4:], stamp)
	binary.BigEndian.PutUint32(b[8:], 7)
	b[12], b[13] = digit%20, 0x80
	return b
}

// trunkItem listens for the agent once; its limits let the line's own time-out
// for lost audio come first.
const trunkItem = `
- input:
    persona: {voice: slt}
    limits: {max_duration_ms: 30000, max_silence_ms: 35000}
    script: [wait_for_agent, {say: "Hello."}, wait_for_agent, hang_up]
`

// trunkRig is a service with one trunk per case.
type trunkRig struct {
	*rig
	cases []trunkCase
	ends  []*farEnd
	http  *http.Client
	api   *client.Client
}

func newTrunkRig(t *testing.T) *trunkRig {
	t.Helper()
	tr := &trunkRig{cases: trunkCases(t), http: &http.Client{Transport: &http.Transport{}}}
	var trunks []sip.Trunk
	for i := range tr.cases {
		c := &tr.cases[i]
		f := newFarEnd(t, c.script)
		f.mute = c.mute
		tr.ends = append(tr.ends, f)
		if c.closed {
			f.stop() // nobody else takes the port within the test: the system gives out others first
		}
		if c.transport == "" {
			c.transport = sip.UDP
		}
		trunks = append(trunks, sip.Trunk{Name: c.name, Host: f.addr(), Transport: c.transport, From: "+15550100", User: "me", Password: "trunk-password"})
	}
	tr.rig = newRig(t, func(o *Options) { o.Trunks = append(o.Trunks, trunks...); o.RecordWait = time.Millisecond })
	tr.api = client.New("http://"+tr.addr, tr.mine.key, client.WithRetries(0), client.WithHTTPClient(tr.http))
	return tr
}

func (tr *trunkRig) close(t *testing.T) {
	tr.stop(t)
	for _, f := range tr.ends {
		f.stop()
	}
	tr.http.CloseIdleConnections()
}

// all runs the cases with that many calls each: all at the same time, but few
// floods. (As parallel subtests only some would run at a time here.)
func (tr *trunkRig) all(t *testing.T, calls int, which func(trunkCase) bool) {
	t.Helper()
	plays := make([]trunkPlay, len(tr.cases))
	var done sync.WaitGroup
	places := make(chan struct{}, floods)
	for i, c := range tr.cases {
		if !which(c) {
			continue
		}
		p := &plays[i]
		p.rig, p.trunkCase, p.far, p.calls = tr, c, tr.ends[i], calls
		if c.flood {
			p.calls = 1
		}
		done.Go(func() {
			if c.flood {
				places <- struct{}{}
				defer func() { <-places }()
			}
			if err := p.play(t.Context()); err != nil {
				p.fault("%v", err)
			}
		})
	}
	done.Wait()
	for _, p := range plays {
		for _, f := range p.faults {
			t.Errorf("%s: %s", p.name, f)
		}
	}
}

// trunkPlay is one experiment on one trunk.
type trunkPlay struct {
	trunkCase
	rig    *trunkRig
	far    *farEnd
	calls  int
	faults []string
}

func (p *trunkPlay) fault(format string, args ...any) {
	p.faults = append(p.faults, fmt.Sprintf(format, args...))
}

// told puts the far end's address into what is expected.
func (p *trunkPlay) told(text string) string { return strings.ReplaceAll(text, "$HOST", p.far.addr()) }

func (p *trunkPlay) play(ctx context.Context) error {
	api, ring := p.rig.api, 1500
	agent, err := api.CreateAgent(ctx, client.NewAgent{Name: p.name, Defaults: &client.AgentDefaults{Trunk: &p.name, RingTimeoutMS: &ring}})
	if err != nil {
		return err
	}
	d, err := api.CreateDataset(ctx, client.NewDataset{Name: p.name})
	if err != nil {
		return err
	}
	if _, err = api.ImportItems(ctx, d.ID, client.Import{Format: "yaml", Data: []byte(strings.Repeat(trunkItem, p.calls))}); err != nil {
		return err
	}
	began := time.Now()
	run, err := api.Run(ctx, agent.ID, client.RunRequest{ToNumber: "+15550123", DatasetID: d.ID})
	if p.refused != "" {
		return p.checkRefusedRun(ctx, err, agent.ID, time.Since(began))
	}
	if err != nil {
		return err
	}
	waiting, stop := context.WithTimeout(ctx, 3*time.Minute)
	defer stop()
	e, err := api.WaitFinished(waiting, run.VoiceExperimentID, nil)
	if err != nil {
		list, _ := api.RunCalls(ctx, run.VoiceExperimentID)
		for _, c := range list {
			p.fault("%s is %s, %s, %s", c.ID, c.Status, c.ScoringStatus, word(c.EndReason.Code))
		}
		return err
	}
	if took := time.Since(began); e.Status != "FINISHED" || took > 3*time.Minute {
		p.fault("the experiment is %s after %v: %s", e.Status, took, e.Reason)
	}
	list, err := api.RunCalls(ctx, run.VoiceExperimentID)
	if err != nil || len(list) != p.calls {
		return fmt.Errorf("%d calls, want %d (%w)", len(list), p.calls, err)
	}
	for _, one := range list {
		full, err := api.Call(ctx, one.ID)
		if err != nil {
			return err
		}
		p.checkCall(full)
	}
	if n := p.far.count("BYE"); p.hangsUp && n < p.calls {
		p.fault("%d of %d calls were hung up", n, p.calls)
	}
	return nil
}

func (p *trunkPlay) checkRefusedRun(ctx context.Context, err error, agentID string, took time.Duration) error {
	var refused *client.Error
	if !errors.As(err, &refused) {
		return fmt.Errorf("the run was not refused: %w", err)
	}
	if refused.Status != 503 || refused.Code != "unavailable" || refused.Message != p.told(p.refused) ||
		refused.Hint != "check that host, port and transport are right and that nothing blocks them" || refused.RequestID == "" || took > 6*time.Second {
		p.fault("refused after %v: %d %+v", took, refused.Status, refused)
	}
	list, err := p.rig.api.Experiments(ctx, client.ExperimentFilter{AgentID: agentID}, client.PageOptions{})
	if len(list.Data) != 0 {
		p.fault("a run that was refused left %d experiments", len(list.Data))
	}
	return err
}

func (p *trunkPlay) checkCall(got client.Call) {
	end := got.EndReason
	if got.Status != p.status || word(end.Code) != p.code || word(end.Blame) != p.blame || word(end.Detail) != p.told(p.detail) {
		p.fault("the call is %s, %s, %s, %q; want %s, %s, %s, %q (%s)", got.Status, word(end.Code), word(end.Blame), word(end.Detail), p.status, p.code, p.blame, p.told(p.detail), got.VerdictReason)
	}
	if len(got.Attempts) != 1 {
		p.fault("%d attempts", len(got.Attempts))
	}
	// A machine that is too busy makes any answered call void; that is no fault here.
	busy := starved(got) || strings.Contains(got.VerdictReason, "of our side of the call") && *got.DurationMS > 500
	if p.verdict != "" && word(got.Verdict) != p.verdict && !busy {
		p.fault("the verdict is %s (%s), want %s", word(got.Verdict), got.VerdictReason, p.verdict)
	}
	if !strings.Contains(got.VerdictReason, p.reason) {
		p.fault("the reason is %q, want %q in it", got.VerdictReason, p.reason)
	}
	for _, kind := range p.kinds {
		if !slices.ContainsFunc(got.Timeline, func(e client.Happening) bool { return e.Kind == kind }) {
			p.fault("no %s on the timeline", kind)
		}
	}
	if n := len(got.Timeline); n > 2100 {
		p.fault("the timeline has %d entries", n)
	}
}

// footprint is what a process holds.
type footprint struct{ goroutines, sockets, files, heap int }

func (f footprint) String() string {
	return fmt.Sprintf("%d goroutines, %d sockets, %d files, %d kB", f.goroutines, f.sockets, f.files, f.heap>>10)
}

// held counts once things have come to rest, half a minute at most, or as soon
// as no more is held than is allowed.
func held(allowed *footprint) footprint {
	var f footprint
	for range 150 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		f = footprint{goroutines: runtime.NumGoroutine(), heap: int(m.HeapAlloc)}
		entries, _ := os.ReadDir("/proc/self/fd")
		for _, e := range entries {
			if to, _ := os.Readlink("/proc/self/fd/" + e.Name()); strings.HasPrefix(to, "socket:") {
				f.sockets++
			} else {
				f.files++
			}
		}
		if allowed != nil && f.goroutines <= allowed.goroutines && f.sockets <= allowed.sockets && f.files <= allowed.files && f.heap <= allowed.heap {
			return f
		}
		if allowed == nil && f.goroutines == 0 {
			return f
		}
		time.Sleep(200 * time.Millisecond)
		if allowed == nil {
			break
		}
	}
	return f
}

// compare fails when more is held than before, beyond what pools may keep warm.
func compare(t *testing.T, before footprint) {
	t.Helper()
	allowed := before
	allowed.goroutines += 4 // connections to the database, which are kept
	allowed.files += 8
	allowed.heap += 4 << 20
	after := held(&allowed)
	t.Logf("before: %v; after: %v", before, after)
	if after.goroutines > allowed.goroutines || after.sockets > allowed.sockets || after.files > allowed.files || after.heap > allowed.heap {
		var stacks bytes.Buffer
		stacks.Grow(1 << 20)
		buf := make([]byte, 1<<20)
		stacks.Write(buf[:runtime.Stack(buf, true)])
		t.Errorf("before: %v; after: %v\n%.20000s", before, after, stacks.String())
	}
}

// It is not parallel to others: it counts what the whole process holds.
func TestBadTrunks(t *testing.T) {
	tr := newTrunkRig(t)
	warm := []string{"down-tcp", "busy", "no-description", "from-elsewhere", "hangs-up-twice", "sip-flood", "lying-headers"}
	tr.all(t, 1, func(c trunkCase) bool { return slices.Contains(warm, c.name) })
	tr.http.CloseIdleConnections()
	http.DefaultClient.CloseIdleConnections()
	before := held(nil)
	tr.all(t, 3, func(trunkCase) bool { return true })
	tr.http.CloseIdleConnections()
	compare(t, before)
	began := time.Now()
	tr.close(t)
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("the service took %v to stop", took)
	}
	tr.checkLog(t)
}
