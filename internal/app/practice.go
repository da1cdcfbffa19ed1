package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/pace"
	"github.com/ringtrue/ringtrue/internal/line/sip"
	"github.com/ringtrue/ringtrue/internal/media"
	"github.com/ringtrue/ringtrue/internal/practice"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/speech"
)

// PracticeOptions are the settings of a practice agent.
type PracticeOptions struct {
	// Listen is the address that takes SIP calls, UDP and TCP; "" takes none.
	Listen string
	// Rooms makes it ready to join rooms, with Attend.
	Rooms bool
	// Recordings is the address that serves the recordings of the last calls
	// over HTTP; "" is a free port of this machine alone.
	Recordings string
	// Faults are "name=size".
	Faults []string
	Seed   uint64
	Voice  string
	// ReportURL and ReportKey lead to the service that gets the agent's own
	// record of each call; SourceID is the agent's id in its own system.
	ReportURL, ReportKey, SourceID string
	Log                            *slog.Logger
	Now                            func() time.Time
}

// Practice is the practice agent taking calls.
type Practice struct {
	server   *sip.Server    // nil when it takes no telephone calls
	roomDesk *practice.Desk // nil when it joins no rooms
	pacer    *pace.Pacer    // of the rooms
	shelf    practice.Shelf
	shelfURL string
	reports  atomic.Pointer[client.Client]
	options  PracticeOptions
	cleanups cleanups
}

// PracticeFaults lists the faults for a person.
func PracticeFaults() string {
	var text strings.Builder
	for _, f := range practice.KnownFaults() {
		fmt.Fprintf(&text, "%-20s %s (default %s)\n", f.Name, f.Explanation, cmp.Or(f.Default, "none"))
	}
	return text.String()
}

// NewPractice starts a practice agent; it takes calls when this returns.
func NewPractice(ctx context.Context, o PracticeOptions) (*Practice, error) {
	faults, err := practice.ParseFaults(o.Faults)
	if err != nil {
		return nil, err
	}
	var address netip.AddrPort
	if o.Listen != "" {
		if address, err = netip.ParseAddrPort(o.Listen); err != nil {
			return nil, problem.Invalid(problem.Field{Path: "--listen", Message: "must be IP:PORT, not " + o.Listen})
		}
	}
	engines, err := speech.New(speech.Options{Log: o.Log})
	if err != nil {
		return nil, err
	}
	engines.Sweep()
	p := &Practice{options: o}
	if o.ReportKey != "" {
		p.SetReportKey(o.ReportKey)
	}
	if o.Rooms {
		media.LogTo(o.Log)
		p.pacer = pace.NewPacer(o.Now, 0)
		p.cleanups.push("the pace of the rooms", func(context.Context) error { p.pacer.Close(); return nil })
		if p.roomDesk, err = p.newDesk(ctx, engines, faults, roomRate); err != nil {
			return nil, errors.Join(err, p.cleanups.run(ctx))
		}
	}
	return p, p.open(ctx, address, engines, faults)
}

// newDesk makes a desk for lines of the given rate.
func (p *Practice) newDesk(ctx context.Context, engines *speech.Engines, faults practice.Faults, rate int) (*practice.Desk, error) {
	o := p.options
	desk, err := practice.New(practice.Options{
		Mouth: engines.Mouth(), Voice: o.Voice, Faults: faults, Seed: o.Seed, Now: o.Now, Log: o.Log, Rate: rate,
		NewEars: func(ctx context.Context, grammar string) (leg.Ears, error) {
			return engines.NewEars(context.WithoutCancel(ctx), speech.EarsOptions{Rate: rate, Grammar: grammar})
		},
		Record: true, NewID: func() string { return "desk-" + rand.Text() }, Report: p.report,
	})
	if err != nil {
		return nil, err
	}
	return desk, desk.Warm(ctx)
}

// open begins to serve recordings, then to take telephone calls.
func (p *Practice) open(ctx context.Context, address netip.AddrPort, engines *speech.Engines, faults practice.Faults) error {
	if err := p.serveRecordings(ctx); err != nil {
		return errors.Join(err, p.cleanups.run(ctx))
	}
	if !address.IsValid() {
		return nil
	}
	desk, err := p.newDesk(ctx, engines, faults, phoneRate)
	if err != nil {
		return errors.Join(err, p.cleanups.run(ctx))
	}
	server, err := sip.Listen(sip.ServerOptions{Bind: address, Answerer: desk.Answer, Log: p.options.Log, Now: p.options.Now})
	if e := problem.As(err); e != nil {
		err = e.WithHint("give a free address of this machine with --listen IP:PORT")
	}
	if err != nil {
		return errors.Join(err, p.cleanups.run(ctx))
	}
	p.server = server
	p.cleanups.push("the practice agent's line", server.Close)
	return nil
}

func (p *Practice) serveRecordings(ctx context.Context) error {
	at := cmp.Or(p.options.Recordings, "127.0.0.1:0")
	address, err := netip.ParseAddrPort(at)
	if err != nil || address.Addr().IsUnspecified() {
		return problem.Invalid(problem.Field{
			Path: "--recordings", Message: "must be the IP:PORT under which recordings can be fetched, not " + at,
		})
	}
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", at)
	if err != nil {
		return problem.New(problem.Unavailable, "no recordings can be served at %s", at).
			WithHint("give a free address of this machine with --recordings IP:PORT").Because(err)
	}
	server := &http.Server{Handler: &p.shelf, ReadHeaderTimeout: 10 * time.Second, WriteTimeout: time.Minute}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(listener) // ends with Shutdown
	}()
	p.cleanups.push("the recordings' server", func(ctx context.Context) error {
		err := server.Shutdown(ctx)
		<-served
		return err
	})
	p.shelfURL = "http://" + listener.Addr().String()
	return nil
}

// Addr is where it takes telephone calls, "" when it takes none.
func (p *Practice) Addr() string {
	if p.server == nil {
		return ""
	}
	return p.server.Addr().String()
}

// Recordings is where the recordings of the last calls are served: "http://127.0.0.1:port".
func (p *Practice) Recordings() string { return p.shelfURL }

// Stop takes no more calls, ends those under way, and forgets the recordings.
func (p *Practice) Stop(ctx context.Context) error { return p.cleanups.run(ctx) }

// SetReportKey changes the key with which records are submitted.
func (p *Practice) SetReportKey(key string) {
	p.reports.Store(client.New(p.options.ReportURL, key))
}

// report keeps the recording and submits the agent's own record of a call to the service, as any
// client's agent would.
func (p *Practice) report(ctx context.Context, r practice.Record) error {
	if err := p.shelf.Put(r); err != nil {
		return err
	}
	c := p.reports.Load()
	// A call whose caller died before the first frame never began: there is nothing to tell of it.
	if c == nil || p.options.ReportURL == "" || r.StartedAt.IsZero() {
		return nil
	}
	_, err := c.SubmitCallLog(ctx, callLog(r, p.options.SourceID, p.shelfURL+p.shelf.Path(r.ID)))
	return err
}

// callLog is the record in the form of the call-log operation.
func callLog(r practice.Record, sourceID, recordingURL string) client.CallLog {
	transcript := client.Transcript{Kind: client.TranscriptKind, Messages: []client.Message{}}
	for _, m := range r.Messages {
		transcript.Messages = append(transcript.Messages, message(m))
	}
	return client.CallLog{
		Provider: "custom", ExternalAgentID: sourceID,
		Metadata: map[string]any{"ringtrue_call": r.CallID, "end_reason": r.EndReason},
		Payload: client.CustomPayload{
			CallID: r.ID, RecordingURL: recordingURL, FromNumber: r.From, ToNumber: r.To,
			StartTimestamp: r.StartedAt.UnixMilli(), EndTimestamp: r.EndedAt.UnixMilli(),
			Status: "ended", Transcript: &transcript,
		},
	}
}

func message(m chat.Message) client.Message {
	out := client.Message{Role: m.Role, Start: m.Start, Content: m.Content, ToolCallID: m.ToolCallID}
	for _, c := range m.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, client.MessageToolCall{
			ID: c.ID, Type: c.Type, Function: client.MessageFunction(c.Function),
		})
	}
	return out
}
