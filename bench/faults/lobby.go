package main

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/jitter"
	"github.com/ringtrue/ringtrue/internal/line/pace"
	"github.com/ringtrue/ringtrue/internal/line/room"
	"github.com/ringtrue/ringtrue/internal/media"
)

// The lines that calls may go over.
const (
	linePhone = "phone"
	lineWide  = "wide"
	lineRoom  = "room"
)

// roomsAtATime is the number of simultaneous calls in rooms: in real time both ends and everybody's
// ears need the machine at the same moments.
const roomsAtATime = 4

// rateOf returns the rate of a line in Hz, 0 if there is no such line.
func rateOf(name string) int {
	switch name {
	case linePhone:
		return phoneRate
	case lineWide, lineRoom:
		return jitter.WidebandRate
	}
	return 0
}

// lobby is a line on which the agent behind a number is met in a room of a real media server, in
// real time.
type lobby struct {
	server *media.Server
	line   *room.Line
	agents *pace.Pacer
	answer leg.Answerer
}

func openLobby(ctx context.Context, keys string, answer leg.Answerer) (*lobby, error) {
	server, err := media.Embed(ctx, media.EmbedOptions{KeyFile: keys})
	if err != nil {
		return nil, err
	}
	return &lobby{
		server: server, line: room.New(room.Options{Server: server, Now: time.Now}), agents: pace.NewPacer(time.Now, 0), answer: answer,
	}, nil
}

// Place implements experiment.Line.
func (l *lobby) Place(ctx context.Context, d leg.Dial, p leg.Party, t *leg.Tape) call.Attempt {
	d.Room = media.Prefix + d.CallID
	err := l.server.Open(ctx, media.Room{Name: d.Room, EmptyFor: time.Minute})
	if err != nil {
		return call.Attempt{ID: d.AttemptID, CallID: d.CallID, StartedAt: time.Now(), EndedAt: time.Now(), EndReason: call.EndOf(call.EndUnreachable, err.Error())}
	}
	defer func() { _ = l.server.CloseRoom(context.WithoutCancel(ctx), d.Room) }() // it would expire by itself
	token, err := l.server.AgentToken(d.Room, time.Minute)
	if err != nil {
		return call.Attempt{ID: d.AttemptID, CallID: d.CallID, StartedAt: time.Now(), EndedAt: time.Now(), EndReason: call.EndOf(call.EndUnreachable, err.Error())}
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_ = room.Attend(ctx, room.AttendOptions{ // if the agent does not come, the caller reports it
			URL: l.server.URL(), Token: token, Pacer: l.agents, Now: time.Now,
			Answerer: func(ctx context.Context, in leg.Incoming) leg.Answer {
				in.CallID, in.To = d.CallID, d.To
				return l.answer(ctx, in)
			},
		})
	}()
	a := l.line.Place(ctx, d, p, t)
	<-gone
	return a
}

func (l *lobby) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = l.line.Close(ctx) // the process ends soon after
	l.agents.Close()
	_ = l.server.Stop(ctx)
}
