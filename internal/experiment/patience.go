package experiment

import "time"

// patience knows for how long each room has been waited for. It counts by the
// steady clock and begins anew with the process, so that neither a clock that is set
// nor a service that was away takes an agent's time to join.
type patience struct {
	// since is when a room was first seen open, or somebody last seen in it, by the call's id.
	since map[string]time.Duration
	// moved is when anything last happened to the rooms of an experiment: an agent that talks to
	// one caller after the other needs its time for each.
	moved map[string]time.Duration
	shape map[string]shape
}

// shape is how many rooms of an experiment are in which state.
type shape struct{ planned, open, called int }

func newPatience() patience {
	return patience{since: map[string]time.Duration{}, moved: map[string]time.Duration{}, shape: map[string]shape{}}
}

// look takes in the rooms as they are now, and in which of them somebody is, and returns those
// open ones that have been waited for at least wait. Whoever is there waits for the machine.
func (p *patience) look(rows []RoomRow, isThere func(callID string) bool, now, wait time.Duration) []RoomRow {
	p.lookForMoves(shapesOf(rows), now)
	since := make(map[string]time.Duration, len(rows))
	var late []RoomRow
	for _, row := range rows {
		if row.State != RoomOpen {
			continue
		}
		from, known := p.since[row.CallID]
		if !known || isThere(row.CallID) {
			from = now
		}
		since[row.CallID] = from
		if now-max(from, p.moved[row.ExperimentID]) >= wait {
			late = append(late, row)
		}
	}
	p.since = since
	return late
}

// excuse leaves a time out of the count in which nobody could come.
func (p *patience) excuse(d time.Duration) {
	for _, times := range []map[string]time.Duration{p.since, p.moved} {
		for id := range times {
			times[id] += d
		}
	}
}

// lookForMoves notes the experiments whose rooms have changed since the last look,
// or in which an agent is talking.
func (p *patience) lookForMoves(shapes map[string]shape, now time.Duration) {
	moved := make(map[string]time.Duration, len(shapes))
	for id, n := range shapes {
		before, known := p.moved[id]
		if !known || n != p.shape[id] || n.called > 0 {
			before = now
		}
		moved[id] = before
	}
	p.moved, p.shape = moved, shapes
}

// shapesOf counts the rooms of each experiment.
func shapesOf(rows []RoomRow) map[string]shape {
	shapes := map[string]shape{}
	for _, row := range rows {
		n := shapes[row.ExperimentID]
		switch row.State {
		case RoomPlanned:
			n.planned++
		case RoomOpen:
			n.open++
		case RoomCalled:
			n.called++
		case RoomClosing:
		}
		shapes[row.ExperimentID] = n
	}
	return shapes
}
