package queue

import (
	"sync"
	"time"
)

// clock is the clock that River goes by. It runs on steadily while the process lives, whatever
// happens to the machine's clock; on PostgreSQL it follows the database's.
type clock struct {
	now func() time.Time
	// own says that the database has no clock but ours.
	own bool

	mu     sync.Mutex
	offset time.Duration
	// doubt is how far off the offset may be, 0 while it is unknown.
	doubt time.Duration
}

// set learns the database's time from a question and when it was asked and answered. A slow answer
// is ignored while an earlier, better one does not contradict it.
func (c *clock) set(asked, answered, there time.Time) {
	doubt := answered.Sub(asked)
	offset := there.Sub(asked.Add(doubt / 2))
	c.mu.Lock()
	defer c.mu.Unlock()
	if differ := (offset - c.offset).Abs(); c.doubt > 0 && c.doubt <= doubt && differ <= doubt {
		return
	}
	c.offset, c.doubt = offset, max(doubt, 1)
}

// Now implements rivertype.TimeGenerator.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now().Add(c.offset)
}

// NowOrNil implements rivertype.TimeGenerator: nil leaves the time to the database.
func (c *clock) NowOrNil() *time.Time {
	if !c.own {
		return nil
	}
	now := c.Now().UTC()
	return &now
}

// atWork are the jobs that this process works on.
type atWork struct {
	mu  sync.Mutex
	ids map[int64]int
}

func newAtWork() *atWork { return &atWork{ids: map[int64]int{}} }

func (a *atWork) begin(id int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ids[id]++
}

func (a *atWork) end(id int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ids[id]--; a.ids[id] <= 0 {
		delete(a.ids, id)
	}
}

func (a *atWork) has(id int64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ids[id] > 0
}
