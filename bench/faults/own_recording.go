package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// tapes keeps recordings that differ from those of the line.
type tapes struct {
	experiment.Recordings
	spoil func(t *leg.Tape) (*leg.Tape, error)
}

// Keep implements experiment.Recordings.
func (k tapes) Keep(ctx context.Context, key string, t *leg.Tape) (call.Recording, error) {
	spoilt, err := k.spoil(t)
	if err != nil {
		return call.Recording{}, err
	}
	return k.Recordings.Keep(ctx, key, spoilt)
}

// part returns a tape that contains, of each channel, what is before the given share of the call.
func part(t *leg.Tape, callerShare, agentShare float64) *leg.Tape {
	out := leg.NewTape(10 * time.Minute)
	out.Begin(t.Rate())
	for channel, share := range []float64{leg.CallerChannel: callerShare, leg.AgentChannel: agentShare} {
		pcm := t.Channel(channel)
		clear(pcm[int(share*float64(len(pcm))):])
		out.Write(channel, 0, pcm)
	}
	return out
}

func recordingFaults() []ownFault {
	kept := func(spoil func(t *leg.Tape) (*leg.Tape, error)) func(*house, *rand.Rand) crew {
		return func(h *house, _ *rand.Rand) crew { return crew{recordings: tapes{h.bucket, spoil}} }
	}
	onDisk := func(change func(path string, size int64, r *rand.Rand) error) func(*house, outcome, *rand.Rand) error {
		return func(h *house, o outcome, r *rand.Rand) error {
			path := filepath.Join(h.folder, "recordings", filepath.FromSlash(o.call.Recording.Key))
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			return change(path, info.Size(), r)
		}
	}
	return []ownFault{
		{
			name: "recording is cut", explanation: "the stored recording ends early", scenario: cancels, reason: "recording",
			after: onDisk(func(path string, size int64, r *rand.Rand) error {
				return os.Truncate(path, size*int64(20+r.IntN(70))/100)
			}),
		},
		{
			name: "recording is gone", explanation: "the stored recording has been removed", scenario: moves, reason: "recording",
			after: onDisk(func(path string, _ int64, _ *rand.Rand) error { return os.Remove(path) }),
		},
		{
			name: "recording is changed", explanation: "a byte of the stored recording is changed", scenario: books, reason: "recording", after: onDisk(flip),
		},
		{
			name: "recording lacks the caller", explanation: "from some point on our own channel of the recording is silent", scenario: moves, reason: "recording",
			crew: kept(func(t *leg.Tape) (*leg.Tape, error) { return part(t, 0.3, 1), nil }),
		},
		{
			name: "recording lacks the agent", explanation: "from some point on the agent's channel of the recording is silent", scenario: books, reason: "recording",
			crew: kept(func(t *leg.Tape) (*leg.Tape, error) { return part(t, 1, 0.4), nil }),
		},
		{
			name: "recording is not kept", explanation: "the recording cannot be stored", scenario: cancels, reason: "recording",
			crew: kept(func(*leg.Tape) (*leg.Tape, error) { return nil, errors.New("no space left on device") }),
		},
	}
}

func flip(path string, size int64, r *rand.Rand) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	at := 44 + r.Int64N(size-44)
	var b [1]byte
	if _, err := f.ReadAt(b[:], at); err != nil {
		return err
	}
	b[0] ^= 0x40
	_, err = f.WriteAt(b[:], at)
	return err
}
