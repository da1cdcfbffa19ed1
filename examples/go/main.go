// Command go is a voice agent for a room, a page long: it joins with the address
// and the token that Ringtrue handed out, greets the caller, and answers with
// the one thing it knows whenever the caller has finished speaking. README.md
// says how to run it.
package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/protocol/logger"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"
	"github.com/pion/webrtc/v4/pkg/media"
	"github.com/thesyncim/gopus"
)

const (
	rate  = 16000 // Hz, of the WAV files and of what we listen to
	frame = rate / 50
	loud  = 500                    // a sample beyond this is speech
	pause = 700 * time.Millisecond // of silence: the caller has finished
	tries = 30                     // at joining, a second apart

	patience = 2 * time.Second // until we speak to a caller of whom nobody says that it hears us
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := attend(ctx, os.Getenv("ROOM_URL"), os.Getenv("ROOM_TOKEN")); err != nil {
		log.Fatal(err)
	}
}

// attend is the whole call; it returns when the caller has left.
func attend(ctx context.Context, url, token string) error {
	greeting, err1 := os.ReadFile("greeting.wav")
	answer, err2 := os.ReadFile("answer.wav")
	track, err3 := webrtc.NewTrackLocalStaticSample(
		webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2}, "voice", "agent")
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	lksdk.SetLogger(logger.GetDiscardLogger())
	ctx, hangUp := context.WithCancel(ctx)
	defer hangUp()
	say := make(chan []byte, 1)
	greet := sync.OnceFunc(func() { say <- greeting })
	room, err := join(ctx, url, token, &lksdk.RoomCallback{
		OnDisconnected:            hangUp,
		OnParticipantDisconnected: func(*lksdk.RemoteParticipant) { hangUp() },
		OnLocalTrackSubscribed: func(*lksdk.LocalTrackPublication, *lksdk.LocalParticipant) {
			greet() // the caller hears us from now on
		},
		ParticipantCallback: lksdk.ParticipantCallback{
			OnTrackSubscribed: func(caller *webrtc.TrackRemote, _ *lksdk.RemoteTrackPublication, _ *lksdk.RemoteParticipant) {
				time.AfterFunc(patience, greet)
				go listen(caller, func() { say <- answer })
			},
		},
	})
	if err != nil {
		return err
	}
	defer room.Disconnect()
	microphone := &lksdk.TrackPublicationOptions{Name: "voice", Source: livekit.TrackSource_MICROPHONE}
	if _, err := room.LocalParticipant.PublishTrack(track, microphone); err != nil {
		return err
	}
	log.Print("joined; waiting for the caller")
	return speak(ctx, track, say)
}

// join joins the room. It tries again for a while, because a service that is being started lets nobody in yet.
func join(ctx context.Context, url, token string, callback *lksdk.RoomCallback) (*lksdk.Room, error) {
	for try := 1; ; try++ {
		room, err := lksdk.ConnectToRoomWithToken(url, token, callback, lksdk.WithDisableRegionDiscovery())
		if err == nil {
			return room, nil
		}
		if try == tries || ctx.Err() != nil {
			// What failed is told with the address, which the token is a part of.
			return nil, fmt.Errorf("the room cannot be joined (is the token still valid?): %s", strings.ReplaceAll(err.Error(), token, "…"))
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// listen calls finished whenever the caller has spoken and then paused.
func listen(caller *webrtc.TrackRemote, finished func()) {
	decoder, err := gopus.NewDecoder(gopus.DefaultDecoderConfig(rate, 1))
	if err != nil {
		log.Print(err)
		return
	}
	timer := time.AfterFunc(time.Hour, func() {
		log.Print("the caller has finished speaking")
		finished()
	})
	timer.Stop()
	pcm := make([]int16, rate)
	for {
		packet, _, err := caller.ReadRTP()
		if err != nil {
			return // the caller has left
		}
		n, _ := decoder.DecodeInt16(packet.Payload, pcm)
		for _, sample := range pcm[:n] {
			if sample > loud || sample < -loud {
				timer.Reset(pause)
				break
			}
		}
	}
}

// speak sends a frame every 20 ms: of what there is to say, or silence.
func speak(ctx context.Context, track *webrtc.TrackLocalStaticSample, say <-chan []byte) error {
	encoder, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: rate, Channels: 1, Application: gopus.ApplicationVoIP})
	if err != nil {
		return err
	}
	var line []byte // what is left to say
	clock := time.NewTicker(20 * time.Millisecond)
	defer clock.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case wav := <-say:
			line = wav[44:] // behind the head of a plain WAV file
		case <-clock.C:
			pcm := make([]int16, frame)
			n, _ := binary.Decode(line, binary.LittleEndian, pcm[:min(frame, len(line)/2)])
			line = line[n:]
			opus, err := encoder.EncodeInt16Slice(pcm)
			if err != nil {
				return err
			}
			if err := track.WriteSample(media.Sample{Data: opus, Duration: 20 * time.Millisecond}); err != nil {
				return err
			}
		}
	}
}
