package experiment

import (
	"math"
	"sync"
	"time"
)

// The limits of admission.
const (
	// firstCalls may be placed before anything has been measured: any machine can pace that many.
	firstCalls = 50
	// entries is how many calls may begin within a second: setting up a call takes as much work as
	// some seconds of its media.
	entries = 100
	// firstRooms and roomEntries are the same for calls in rooms, each of which
	// costs as much as dozens on the telephone: it is encoded, encrypted and, with
	// an embedded server, passed on by this machine as well.
	firstRooms, roomEntries = 10, 10
	// busyLimit is the share of its time above which the media loop is too busy; busyGoal is the
	// share up to which calls are admitted. The rest of the processor is for setting calls up,
	// their recordings and the garbage collector, and for a machine that slows down under calls
	// that were admitted before.
	busyLimit, busyGoal = 0.75, 0.6
	// lateLimit is how late 99 in 100 frames may be. It holds only when the media loop is busy for
	// at least busyAtAll: below that it is late because of other programs, and fewer calls would
	// not help.
	lateLimit, busyAtAll = 5 * time.Millisecond, 0.2
	// behindLimit is how late the rest of the process may run: three frames, which is how late a
	// word may leave. The media loop has priority and stays punctual for longer, but when it has to
	// wait for the rest once, it stops for as long.
	behindLimit = 60 * time.Millisecond
	// measurable is how many calls there must be to tell what one costs.
	measurable = 8
	// spare is the share of the room below which calls are reported to go on again.
	spare = 0.9
	// calmSeconds without trouble must pass before the ceiling that trouble left behind is raised,
	// by ceilingGrowth a second. A single late second mostly has other causes than its calls: it
	// leaves a ceiling at what was running, and briefly seconds are enough.
	calmSeconds, briefly = 10, 3
	ceilingGrowth        = 1.05
	stepBack             = 0.9
)

// Admission lets no more calls on this process's lines than its media loop can pace. It knows how
// many calls were admitted and what they cost as measured. It never more than doubles what the last
// measurement saw running, so that the effect of new calls is seen before more follow. It is safe
// for concurrent use.
type Admission struct {
	pressure func() Pressure
	// first is how many are let in before anything has been measured, entries how many within a second.
	first, entries int
	// most is how many calls there may be whatever the machine can do, 0 for any number.
	most int

	mu     sync.Mutex
	placed int
	// entered are those that were let in since the last measurement.
	entered int
	seen    Pressure
	// cost is the share of the busiest thread's time that a call takes, 0 while unknown.
	cost float64
	// ceiling is how many calls may be placed after there has been trouble, calm
	// the seconds since, wary how many of them must pass before it is raised. Late are
	// the measurements in a row that showed trouble.
	ceiling    float64
	calm, wary int64
	late       int
	holding    bool
}

// NewAdmission returns an Admission that takes its measurements from pressure; a nil pressure
// admits everybody.
func NewAdmission(pressure func() Pressure) *Admission {
	return &Admission{pressure: pressure, first: firstCalls, entries: entries, ceiling: math.Inf(1)}
}

// newRoomAdmission is NewAdmission for calls in rooms.
func newRoomAdmission(pressure func() Pressure) *Admission {
	return &Admission{pressure: pressure, first: firstRooms, entries: roomEntries, ceiling: math.Inf(1)}
}

// Enter admits one more call if there is room. Leave must be called when that call is over. changed
// reports that this is the first call to be held back, or that calls were held back and there is
// room to spare again.
func (a *Admission) Enter() (ok, changed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.pressure != nil {
		a.look(a.pressure())
	}
	if a.most > 0 && a.placed >= a.most {
		return false, false
	}
	room := a.room()
	if a.pressure != nil && a.placed > 0 && a.entered >= a.entries {
		return false, false
	}
	if a.placed >= room {
		changed, a.holding = !a.holding, true
		return false, changed
	}
	a.placed++
	a.entered++
	if a.holding && (room == 1 || float64(a.placed) < spare*float64(room)) {
		changed, a.holding = true, false
	}
	return true, changed
}

// Leave reports that an admitted call is over.
func (a *Admission) Leave() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.placed--
}

// Room is how many calls there may be right now, and how many there are.
func (a *Admission) Room() (room, placed int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.bounded(), a.placed
}

func (a *Admission) occupancy() Occupancy {
	a.mu.Lock()
	defer a.mu.Unlock()
	return Occupancy{Placed: a.placed, Room: a.bounded(), Held: a.holding}
}

// look takes a measurement into account, once for each second measured.
func (a *Admission) look(p Pressure) {
	passed := p.Second - a.seen.Second
	if passed == 0 {
		return
	}
	a.seen, a.entered = p, 0
	if p.Calls >= measurable && p.Busy > 0 {
		cost := p.Busy / float64(p.Calls)
		if a.cost > 0 {
			cost = (2*a.cost + cost) / 3
		}
		a.cost = cost
	}
	if p.troubled() {
		a.stop(p)
		return
	}
	a.late = 0
	if a.calm += passed; a.calm > a.wary {
		a.ceiling = max(a.ceiling+1, a.ceiling*ceilingGrowth)
	}
}

// stop lowers the ceiling: to what was running at the first sign of trouble, and below that when
// the loop has no time left or the trouble goes on. Nobody is admitted meanwhile.
func (a *Admission) stop(p Pressure) {
	share := 1.0
	a.wary = max(a.wary-a.calm, briefly)
	if a.late++; a.late > 1 || p.Busy > busyLimit {
		share, a.wary = stepBack, calmSeconds
	}
	a.calm, a.ceiling = 0, max(min(a.ceiling, share*float64(p.Calls)), 1)
}

// troubled reports whether the media loop is at its limit.
func (p Pressure) troubled() bool {
	return p.Busy > busyLimit || p.Busy > busyAtAll && (p.Late > lateLimit || p.Behind > behindLimit)
}

// bounded is how many calls the machine can pace, and at most most.
func (a *Admission) bounded() int {
	if a.most > 0 {
		return min(a.most, a.room())
	}
	return a.room()
}

// room is how many calls this machine can pace at a time. It is always at least one, so that
// nothing stands still.
func (a *Admission) room() int {
	if a.pressure == nil {
		return math.MaxInt
	}
	room := min(max(float64(a.first), 2*float64(a.seen.Calls)), a.ceiling)
	if a.cost > 0 {
		room = min(room, busyGoal/a.cost)
	}
	if a.seen.troubled() {
		room = min(room, float64(a.seen.Calls))
	}
	return max(int(room), 1)
}
