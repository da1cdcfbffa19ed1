package room_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/server-sdk-go/v2"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"
	"github.com/thesyncim/gopus"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// guest is an agent that uses the public client library.
type guest struct {
	t    *testing.T
	room *lksdk.Room
}

func comes(t *testing.T, token string) *guest {
	t.Helper()
	r, err := lksdk.ConnectToRoomWithToken(server.URL(), token, nil, lksdk.WithDisableRegionDiscovery())
	if err != nil {
		t.Fatal("the agent could not join")
	}
	t.Cleanup(r.Disconnect)
	return &guest{t: t, room: r}
}

// listens reads what the caller says; without that the client counts no losses.
func (g *guest) listens() {
	for _, p := range g.room.GetRemoteParticipants() {
		for _, pub := range p.TrackPublications() {
			if track, ok := pub.Track().(*webrtc.TrackRemote); ok {
				go func() {
					for b := make([]byte, 1500); ; {
						if _, _, err := track.Read(b); err != nil {
							return
						}
					}
				}()
			}
		}
	}
}

// mic is a microphone of a guest.
type mic struct {
	pub   *lksdk.LocalTrackPublication
	quiet atomic.Bool
	stop  chan struct{}
}

// voice describes what a guest's microphone sends: a tone, unless it is broken.
type voice struct {
	hz float64
	// broken sends random bytes instead of Opus.
	broken bool
	// stereo sends 48 kHz in two channels, with the tone in both.
	stereo bool
	// sealed is the end-to-end encryption that the track claims to have.
	sealed livekit.Encryption_Type
	// stamp changes the timestamp of the nth packet; nil leaves it unchanged.
	stamp func(n, stamp uint32) uint32
	// number returns the sequence number of the nth packet; nil means consecutive numbers.
	number func(n uint32) uint16
}

// speaks publishes a microphone that sends a tone, or random bytes if it is broken.
func (g *guest) speaks(hz float64, broken bool) *mic { return g.says(voice{hz: hz, broken: broken}) }

// says publishes a microphone.
func (g *guest) says(v voice) *mic {
	g.t.Helper()
	track, err := lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2})
	if err != nil {
		g.t.Fatal(err)
	}
	m := &mic{stop: make(chan struct{})}
	m.pub, err = g.room.LocalParticipant.PublishTrack(track, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE, Stereo: v.stereo, Encryption: v.sealed})
	if err != nil {
		g.t.Fatal("the agent could not publish its microphone")
	}
	go m.run(track, v)
	g.t.Cleanup(func() { close(m.stop) })
	return m
}

func (m *mic) run(track *lksdk.LocalTrack, v voice) {
	config := gopus.EncoderConfig{SampleRate: 16000, Channels: 1, Application: gopus.ApplicationVoIP}
	if v.stereo {
		config = gopus.EncoderConfig{SampleRate: 48000, Channels: 2, Application: gopus.ApplicationAudio}
	}
	enc, err := gopus.NewEncoder(config)
	if err != nil {
		return
	}
	ticks := time.NewTicker(20 * time.Millisecond)
	defer ticks.Stop()
	chance := rand.New(rand.NewPCG(1, 2))
	pcm := make([]int16, config.SampleRate/50*config.Channels)
	var buf [1275]byte
	for n, seq := uint32(0), uint16(0); ; n++ {
		select {
		case <-m.stop:
			return
		case <-ticks.C:
		}
		if m.quiet.Load() {
			continue
		}
		for i := range pcm {
			at := float64(int(n)*config.SampleRate/50 + i/config.Channels)
			pcm[i] = int16(8000 * math.Sin(2*math.Pi*v.hz*at/float64(config.SampleRate)))
		}
		size, err := enc.EncodeInt16(pcm, buf[:])
		if err != nil {
			return
		}
		if v.broken {
			size = 1 + chance.IntN(400)
			for i := range size {
				buf[i] = byte(chance.Uint32())
			}
		}
		stamp := n * 960
		if v.stamp != nil {
			stamp = v.stamp(n, stamp)
		}
		if v.number != nil {
			seq = v.number(n)
		}
		_ = track.WriteRTP(&rtp.Packet{
			Header:  rtp.Header{Version: 2, SequenceNumber: seq, Timestamp: stamp},
			Payload: slices.Clone(buf[:size]),
		}, nil)
		seq++
	}
}

// person is our caller in these tests: it plays a tone all the time, counts the frames in which it
// hears sound, and presses keys and hangs up when told.
type person struct {
	rate    int
	heard   atomic.Int64
	pressed atomic.Bool // the agent pressed a key
	presses atomic.Bool // it is to press some keys itself
	over    atomic.Bool
}

func (p *person) Begin(rate int) { p.rate = rate }

func (p *person) Step(in, out *leg.Frame) {
	if slices.Max(in.PCM) > 2000 {
		p.heard.Add(1)
	}
	if in.Digits != "" {
		p.pressed.Store(true)
	}
	for i := range out.PCM {
		out.PCM[i] = int16(8000 * math.Sin(2*math.Pi*500*(out.At.Seconds()+float64(i)/float64(p.rate))))
	}
	if p.presses.Swap(false) {
		out.Digits = "1234#"
	}
	out.HangUp = p.over.Load()
}

func (p *person) End(time.Duration, bool) {}
