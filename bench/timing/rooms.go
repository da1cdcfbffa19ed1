package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/pace"
	"github.com/ringtrue/ringtrue/internal/line/room"
	"github.com/ringtrue/ringtrue/internal/media"
)

// lobby is a media server with its line, and the pacer of the agents in its rooms.
type lobby struct {
	dir    string
	server *media.Server
	line   *room.Line
	agents *pace.Pacer
	now    func() time.Time
}

func openLobby(ctx context.Context, now func() time.Time) (*lobby, error) {
	dir, err := os.MkdirTemp("", "timing-rooms-")
	if err != nil {
		return nil, err
	}
	l := &lobby{dir: dir, now: now}
	if l.server, err = media.Embed(ctx, media.EmbedOptions{KeyFile: filepath.Join(dir, "media.key")}); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	l.line = room.New(room.Options{Server: l.server, Now: now})
	l.agents = pace.NewPacer(now, 0)
	return l, nil
}

func (l *lobby) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = l.line.Close(ctx) // the process ends soon after
	l.agents.Close()
	_ = l.server.Stop(ctx)
	_ = os.RemoveAll(l.dir)
}

// place makes a call in a room of its own.
func (l *lobby) place(ctx context.Context, s *stage) call.Attempt {
	d := s.dial()
	d.Room, d.RingTimeout = room.Prefix+s.job.id, time.Minute
	if err := l.server.Open(ctx, media.Room{Name: d.Room, EmptyFor: time.Minute}); err != nil {
		return call.Attempt{EndReason: call.EndOf(call.EndRingtrueError, err.Error())}
	}
	defer func() { _ = l.server.CloseRoom(context.WithoutCancel(ctx), d.Room) }()
	token, err := l.server.AgentToken(d.Room, time.Minute)
	if err != nil {
		return call.Attempt{EndReason: call.EndOf(call.EndRingtrueError, err.Error())}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	over := make(chan error, 1)
	go func() {
		over <- room.Attend(ctx, room.AttendOptions{
			URL: l.server.URL(), Token: token, Pacer: l.agents, Now: l.now,
			Answerer: func(context.Context, leg.Incoming) leg.Answer { return leg.Answer{Party: &narrow{Party: s.far}} },
		})
	}()
	a := l.line.Place(ctx, d, &narrow{Party: s.witness}, s.tape)
	cancel()
	<-over
	return a
}

// narrow is a Party with the telephone's rate in a room: its material is the same on all lines, so
// that only the lines differ. In both directions together it shifts audio by less than a tenth of a
// millisecond.
type narrow struct {
	leg.Party
	in, out leg.Frame
	heard   [telephone / 50]int16
	said    [telephone / 50]int16
	last    int32
}

// Begin implements leg.Party.
func (n *narrow) Begin(int) { n.Party.Begin(telephone) }

// Step implements leg.Party.
func (n *narrow) Step(in, out *leg.Frame) {
	clear(n.said[:])
	n.in, n.out = *in, *out
	n.in.PCM, n.out.PCM = n.heard[:], n.said[:]
	for i := range n.heard {
		n.heard[i] = int16((int32(in.PCM[2*i]) + int32(in.PCM[2*i+1])) / 2)
	}
	n.Party.Step(&n.in, &n.out)
	pcm := out.PCM
	*out = n.out
	out.PCM = pcm
	for i, v := range n.said {
		pcm[2*i], pcm[2*i+1] = int16((n.last+int32(v))/2), v
		n.last = int32(v)
	}
}
