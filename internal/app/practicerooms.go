package app

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/room"
)

// joinFor is how long a room may take to let the practice agent in: its service may be starting.
const joinFor = 30 * time.Second

// Attend joins a room as its agent, and returns when the call there is over and
// its record has been handed over, or when ctx ends. Its options must have said
// that there would be rooms.
func (p *Practice) Attend(ctx context.Context, url, token string) error {
	return room.Attend(ctx, room.AttendOptions{
		URL: url, Token: token, JoinFor: joinFor, Answerer: p.roomDesk.Answer, Pacer: p.pacer, Log: p.options.Log, Now: p.options.Now,
	})
}
