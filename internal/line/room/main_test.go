package room_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/linetest"
	"github.com/ringtrue/ringtrue/internal/line/pace"
	"github.com/ringtrue/ringtrue/internal/line/room"
	"github.com/ringtrue/ringtrue/internal/media"
)

// server is the media server of all tests: a process can only hold a few.
var server *media.Server

func TestMain(m *testing.M) {
	if os.Getenv("ROOM_TEST_URL") != "" {
		os.Exit(m.Run()) // an agent, which needs no server of its own
	}
	os.Exit(withServer(m))
}

func withServer(m *testing.M) int {
	dir, err := os.MkdirTemp("", "room")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	// With a Knock function, agents join as they do in the service.
	knock := func(context.Context, string) error { return nil }
	if server, err = media.Embed(context.Background(), media.EmbedOptions{KeyFile: filepath.Join(dir, "media.key"), Knock: knock}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	flag.Parse()
	if err := flag.Set("test.parallel", strconv.Itoa(atOnce)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = server.Stop(ctx)
	return code
}

// rig is a line under test, joined by agents of ours.
type rig struct {
	t        testing.TB
	line     *room.Line
	answerer leg.Answerer
	pacer    *pace.Pacer
}

func newRig(t testing.TB, a leg.Answerer, o room.Options) *rig {
	t.Helper()
	if o.Server == nil {
		o.Server = server
	}
	o.Now = time.Now
	r := &rig{t: t, line: room.New(o), answerer: a, pacer: pace.NewPacer(time.Now, 0)}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := r.line.Close(ctx); err != nil {
			t.Errorf("closing the line: %v", err)
		}
		r.pacer.Close()
	})
	return r
}

// openRoom creates a room for a call and returns an agent's token for it.
func openRoom(t testing.TB, name string) string {
	t.Helper()
	if err := server.Open(t.Context(), media.Room{Name: name, EmptyFor: time.Minute}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.CloseRoom(context.Background(), name) })
	token, err := server.AgentToken(name, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// Place implements linetest.Line: the agent joins a room of the call's own.
func (r *rig) Place(ctx context.Context, d leg.Dial, p leg.Party, tape *leg.Tape) call.Attempt {
	name := room.Prefix + d.CallID
	token := openRoom(r.t, name)
	d.Room = name
	over := make(chan error, 1)
	agent, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	go func() {
		over <- room.Attend(agent, room.AttendOptions{
			URL: server.URL(), Token: token, Answerer: r.answerer, Pacer: r.pacer, Now: time.Now,
		})
	}()
	a := r.line.Place(ctx, d, p, tape)
	timer := time.AfterFunc(5*time.Second, cancel)
	defer timer.Stop()
	if a.Rate == 0 {
		cancel()
	}
	if err := <-over; err != nil && ctx.Err() == nil {
		r.t.Errorf("the agent: %v", err)
	}
	_ = server.CloseRoom(context.WithoutCancel(ctx), name)
	return a
}

// like returns the traits of a room as a line: nobody can refuse a call there.
func like() linetest.Traits {
	return linetest.Traits{
		Refused: map[leg.Refusal]call.EndCode{
			leg.RefuseBusy: call.EndAgentNeverCame, leg.RefuseDecline: call.EndAgentNeverCame,
		},
		Rang:     call.EndAgentNeverCame,
		Patience: 1500 * time.Millisecond,
		Arrives: func(d leg.Dial) leg.Incoming {
			return leg.Incoming{CallID: d.CallID, From: room.CallerIdentity, To: room.Prefix + d.CallID}
		},
		Codec: 5 * time.Millisecond,
	}
}

func TestRoomIsALine(t *testing.T) {
	t.Parallel()
	linetest.RunAs(t, like(), func(t testing.TB, a leg.Answerer) linetest.Line {
		t.Helper()
		return newRig(t, a, room.Options{})
	})
}
