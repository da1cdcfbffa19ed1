package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/app"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// roomFlags say which rooms the practice agent joins. Tokens are secrets, so
// none of them stands on a command line.
type roomFlags struct {
	Room      string `help:"Join the room at this url (from the answer of create-media-rooms) instead of taking telephone calls, and exit when the call is over. The room's token is read from RINGTRUE_ROOM_TOKEN." placeholder:"URL"`
	TokenFile string `name:"token-file" help:"Read the room's token from this file; - is standard input." placeholder:"FILE"`
	RoomsFrom string `name:"rooms-from" help:"Join every room in this file, which holds the answer of create-media-rooms; - is standard input." placeholder:"FILE"`

	NoPhone bool `name:"no-phone" hidden:"" help:"Take no telephone calls; rooms come on standard input."`
}

const (
	// tokenVariable holds the token of --room.
	tokenVariable = "RINGTRUE_ROOM_TOKEN"
	// mostAnswer bounds the answer of create-media-rooms: 10,000 rooms and their tokens.
	mostAnswer = 64 << 20
	// attended is how many rooms the practice agent is in at a time: as many as it has places for
	// callers.
	attended = 64
)

// joining reports whether rooms are named.
func (f roomFlags) joining() bool { return f.Room != "" || f.RoomsFrom != "" }

// rooms are those to join.
func (f roomFlags) rooms(ctx context.Context, w *world) ([]client.MediaRoom, error) {
	switch {
	case f.Room != "" && f.RoomsFrom != "":
		return nil, wrongFlag("--rooms-from", "names the rooms already; leave out --room")
	case f.RoomsFrom != "" && f.TokenFile != "":
		return nil, wrongFlag("--token-file", "belongs to --room; with --rooms-from each room brings its own token")
	case f.RoomsFrom != "":
		text, err := read(ctx, w, "--rooms-from", f.RoomsFrom)
		if err != nil {
			return nil, err
		}
		return roomsOf(text)
	case f.Room == "":
		return nil, nil
	case !strings.HasPrefix(f.Room, "ws://") && !strings.HasPrefix(f.Room, "wss://"):
		return nil, wrongFlag("--room", "must be the url of a room, which begins with ws:// or wss://")
	}
	token, err := f.token(ctx, w)
	if err != nil {
		return nil, err
	}
	return []client.MediaRoom{{RoomName: "the room", URL: f.Room, Token: token}}, nil
}

func (f roomFlags) token(ctx context.Context, w *world) (string, error) {
	token := ""
	for _, v := range w.environ {
		if value, ok := strings.CutPrefix(v, tokenVariable+"="); ok {
			token = value
		}
	}
	if f.TokenFile != "" {
		text, err := read(ctx, w, "--token-file", f.TokenFile)
		if err != nil {
			return "", err
		}
		token = string(text)
	}
	if token = strings.TrimSpace(token); token == "" {
		return "", wrongFlag("--room", "needs the room's token in "+tokenVariable+" or in --token-file")
	}
	return token, nil
}

// roomsOf are the rooms in an answer of create-media-rooms.
func roomsOf(text []byte) ([]client.MediaRoom, error) {
	var answer client.MediaRooms
	if err := json.Unmarshal(text, &answer); err != nil || len(answer.Rooms) == 0 {
		// The text holds tokens: it is not quoted, and neither is what was made of it.
		return nil, wrongFlag("--rooms-from", `must hold what create-media-rooms answered: {"experimentId": …, "rooms": [{"roomName": …, "url": …, "token": …}]}`)
	}
	for i, r := range answer.Rooms {
		if r.URL == "" || r.Token == "" {
			return nil, wrongFlag("--rooms-from", fmt.Sprintf("rooms[%d] has no url or no token", i))
		}
	}
	return answer.Rooms, nil
}

// read returns what is in a file, or on standard input when its name is "-".
func read(ctx context.Context, w *world, flag, name string) ([]byte, error) {
	text, err := waited(ctx, func() ([]byte, error) {
		in := w.in
		if name != "-" {
			file, err := os.Open(name) //nolint:gosec // the person names it
			if err != nil {
				return nil, err
			}
			defer file.Close()
			in = file
		}
		return io.ReadAll(io.LimitReader(in, mostAnswer))
	})
	if err != nil && ctx.Err() == nil {
		return nil, wrongFlag(flag, "cannot be read: "+err.Error())
	}
	return text, err
}

func wrongFlag(flag, message string) error {
	return problem.Invalid(problem.Field{Path: flag, Message: message})
}

// attendAll joins the rooms, so many at a time, and returns when all their calls are over. One that
// fails does not stop the others.
func attendAll(ctx context.Context, p *app.Practice, rooms []client.MediaRoom) error {
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		failed []error
	)
	places := make(chan struct{}, attended)
	for _, r := range rooms {
		places <- struct{}{}
		wg.Go(func() {
			defer func() { <-places }()
			if err := p.Attend(ctx, r.URL, r.Token); err != nil && ctx.Err() == nil {
				mu.Lock()
				defer mu.Unlock()
				failed = append(failed, fmt.Errorf("%s: %w", r.RoomName, err))
			}
		})
	}
	wg.Wait()
	return errors.Join(failed...)
}

// counted is a number and what it counts: "1 room", "2 rooms".
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
