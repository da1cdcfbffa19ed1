package app

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/line/pace"
)

// pressure is what the telephone's media loop measured of itself, as experiments see it.
func (p *parts) pressure() experiment.Pressure { return pressureOf(p.line.Load()) }

// roomPressure is what the media loop of the rooms measured of itself.
func (p *parts) roomPressure() experiment.Pressure { return pressureOf(p.roomLoad()) }

func pressureOf(l pace.Load) experiment.Pressure {
	return experiment.Pressure{Second: l.Second, Calls: l.Streams, Busy: l.Busy, Late: l.Late, Behind: l.Behind}
}

func (p *parts) roomLoad() pace.Load {
	if p.roomLine == nil {
		return pace.Load{}
	}
	return p.roomLine.Load()
}

// How long a review's recognition lets calls on the line go first: while the
// media loop is busier than easyGoing, but gateRounds seconds at most, so that reviews are done
// even on a machine that is always full.
const (
	easyGoing  = 0.5
	gatePause  = time.Second
	gateRounds = 60
)

// gate makes the recognition for a review wait while the media loop needs the processor.
// Recognition runs at the lowest priority, but not every machine keeps that promise to the
// millisecond.
func (p *parts) gate(ctx context.Context) error {
	pause := time.NewTicker(gatePause)
	defer pause.Stop()
	for range gateRounds {
		if max(p.line.Load().Busy, p.roomLoad().Busy) < easyGoing {
			return nil
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
