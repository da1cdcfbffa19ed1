package main

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"

	"github.com/ringtrue/ringtrue/internal/media"
)

// heardRoom is what a client recorded in one room.
type heardRoom struct {
	Room int
	// Zero is the wall time (ns) at which frame 0 was due, Sent the number of consecutive frames
	// sent, and Worst the largest lateness of one of them (ns).
	Zero  int64
	Sent  int
	Worst int64
	Got   []arrival
}

// arrival is a received packet.
type arrival struct {
	At    int64 // wall time in ns
	Stamp uint32
	Seq   uint16
	Size  uint16
}

// client is a bare publisher and subscriber in one room.
type client struct {
	room  *lksdk.Room
	track *lksdk.LocalTrack

	mu   sync.Mutex
	down heardRoom
}

// serverMain is the part that is the media server.
func serverMain(args []string) error {
	o, err := partOptions("part-server", args)
	if err != nil {
		return err
	}
	s, err := media.Embed(contextOf(), media.EmbedOptions{Key: o.key, Secret: o.secret, Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	if err != nil {
		return err
	}
	fmt.Println(s.Address())
	_, _ = io.Copy(io.Discard, os.Stdin)
	return s.Stop(contextOf())
}

func roomName(i int) string { return fmt.Sprint(media.Prefix, "bench-", i) }

// connect connects a part to the server.
func (o options) connect() (*media.Server, error) {
	return media.Connect(media.ConnectOptions{URL: o.url, Key: o.key, Secret: o.secret})
}

// join joins one room and publishes.
func join(url, token string, room int) (*client, error) {
	c := &client{down: heardRoom{Room: room}}
	callback := lksdk.NewRoomCallback()
	callback.OnTrackSubscribed = func(t *webrtc.TrackRemote, _ *lksdk.RemoteTrackPublication, _ *lksdk.RemoteParticipant) { c.listen(t) }
	var err error
	if c.room, err = lksdk.ConnectToRoomWithToken(url, token, callback, lksdk.WithDisableRegionDiscovery()); err != nil {
		return nil, err
	}
	c.track, err = lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2})
	if err != nil {
		return nil, err
	}
	_, err = c.room.LocalParticipant.PublishTrack(c.track, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE})
	return c, err
}

// listen reads what comes until the track ends.
func (c *client) listen(t *webrtc.TrackRemote) {
	for {
		p, _, err := t.ReadRTP()
		if err != nil {
			return
		}
		now := time.Now().UnixNano()
		if bytes.HasPrefix(p.Payload, blank()) {
			continue
		}
		c.mu.Lock()
		c.down.Got = append(c.down.Got, arrival{At: now, Stamp: p.Timestamp, Seq: p.SequenceNumber, Size: uint16(len(p.Payload))})
		c.mu.Unlock()
	}
}

// blank returns the beginning of the frames that the server inserts before and after what was sent.
func blank() []byte { return []byte{0xf8, 0xff, 0xfe, 0, 0, 0, 0, 0} }

// crowd is the clients of a process, paced by one goroutine.
type crowd struct {
	content *content
	begun   time.Time
	fresh   chan *client
	stop    chan struct{}
	done    chan struct{}
	clients []*client
}

func newCrowd(seed uint64, rooms int) (*crowd, error) {
	c, err := newContent(seed)
	if err != nil {
		return nil, err
	}
	all := &crowd{content: c, begun: time.Now(), fresh: make(chan *client, rooms), stop: make(chan struct{}), done: make(chan struct{})}
	go all.pace()
	return all, nil
}

func (c *crowd) add(one *client) {
	c.clients = append(c.clients, one)
	c.fresh <- one
}

// pace sends frames: every millisecond, a twentieth of the rooms has its turn.
func (c *crowd) pace() {
	defer close(c.done)
	var lanes [20][]*client
	const slot = time.Millisecond
	n, turn := time.Since(c.begun)/slot, 0
	timer := time.NewTimer(0)
	for {
		n++
		timer.Reset(time.Until(c.begun.Add(n * slot)))
		select {
		case <-timer.C:
		case <-c.stop:
			return
		}
		lane := int(n % 20)
		for len(c.fresh) > 0 && turn%20 == lane {
			one := <-c.fresh
			one.down.Zero = c.begun.Add(n * slot).UnixNano()
			lanes[lane] = append(lanes[lane], one)
			turn++
		}
		if turn%20 == lane {
			turn++ // nobody waits: the next one gets another slot
		}
		for _, one := range lanes[lane] {
			c.say(one)
		}
	}
}

func (c *crowd) say(one *client) {
	i := one.down.Sent
	p := &rtp.Packet{
		Header:  rtp.Header{Version: 2, SequenceNumber: uint16(i), Timestamp: uint32(i) * opusFrame},
		Payload: c.content.packets[at(one.down.Room, i)],
	}
	_ = one.track.WriteRTP(p, nil)
	one.down.Worst = max(one.down.Worst, time.Now().UnixNano()-one.down.Zero-int64(i)*frameTime)
	one.down.Sent++
}

// end stops sending, leaves every room and returns what was recorded.
func (c *crowd) end() []heardRoom {
	close(c.stop)
	<-c.done
	wait(time.Now().Add(200 * time.Millisecond)) // what is still in transit
	var all []heardRoom
	for _, one := range c.clients {
		one.room.Disconnect()
		one.mu.Lock()
		all = append(all, one.down)
		one.mu.Unlock()
	}
	return all
}

// agentsMain is the process of the agents. They are in their rooms before anybody comes; the line
// "write" makes it store what it knows and end.
func agentsMain(args []string) error {
	o, err := partOptions("part-agents", args)
	if err != nil {
		return err
	}
	s, err := o.connect()
	if err != nil {
		return err
	}
	agents, err := newCrowd(o.seed, o.rooms)
	if err != nil {
		return err
	}
	for i := range o.rooms {
		token, err := s.AgentToken(roomName(i), time.Hour)
		if err != nil {
			return err
		}
		one, err := join(s.URL(), token, i)
		if err != nil {
			return err
		}
		agents.add(one)
	}
	fmt.Println("there")
	bufio.NewScanner(os.Stdin).Scan()
	out, err := os.Create(o.file)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := gob.NewEncoder(out).Encode(agents.end()); err != nil {
		return err
	}
	fmt.Println("written")
	return nil
}

// bareMain is the calling process that only sends and receives.
func bareMain(args []string) error {
	o, err := partOptions("part-bare", args)
	if err != nil {
		return err
	}
	s, err := o.connect()
	if err != nil {
		return err
	}
	callers, err := newCrowd(o.seed+1, o.rooms)
	if err != nil {
		return err
	}
	begun := time.Now()
	for i := range o.rooms {
		wait(begun.Add(time.Duration(float64(i) / o.rate * 1e9)))
		token, err := s.CallerToken(roomName(i), media.CallerIdentity, "")
		if err != nil {
			return err
		}
		one, err := join(s.Address(), token, i)
		if err != nil {
			return err
		}
		callers.add(one)
	}
	fmt.Println("up")
	wait(begun.Add(o.wholeCall()))
	fmt.Println("peak")
	var out result
	for _, room := range callers.end() {
		out.Rooms++
		out.Minutes += float64(room.Sent) * frameTime / 60e9
		out.Due += room.Sent
		_, lost := gaps(room.Got)
		out.FarLost += lost
	}
	fmt.Println("down")
	return json.NewEncoder(os.Stdout).Encode(out)
}

// gaps counts the frames from the first to the last that came, and those between them that did not
// come.
func gaps(got []arrival) (due, lost int) {
	if len(got) == 0 {
		return 0, 0
	}
	there := map[uint32]bool{}
	var last uint32
	for _, a := range got {
		i := (a.Stamp - got[0].Stamp) / opusFrame
		if i < 1<<24 { // one from before the first does not count
			there[i], last = true, max(last, i)
		}
	}
	return int(last) + 1, int(last) + 1 - len(there)
}

func wait(until time.Time) {
	t := time.NewTimer(time.Until(until))
	<-t.C
}

// readAgents reads what the agents recorded.
func readAgents(file string) (map[int]heardRoom, error) {
	in, err := os.Open(strings.TrimSpace(file))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var all []heardRoom
	if err := gob.NewDecoder(in).Decode(&all); err != nil {
		return nil, err
	}
	rooms := make(map[int]heardRoom, len(all))
	for _, one := range all {
		rooms[one.Room] = one
	}
	return rooms, nil
}
