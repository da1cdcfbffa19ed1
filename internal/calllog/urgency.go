package calllog

import (
	"strconv"
	"strings"
	"sync"
	"time"
)

// The most and the least urgent jobs of a kind. More urgent ones are done first.
const mostUrgent, leastUrgent = 1, 4

// crowds counts what each workspace has sent lately, so that one which sends more than can be reviewed
// does not make the others wait: the more came of a workspace, the less urgent is its next call.
// Each process counts for itself.
type crowds struct {
	mu sync.Mutex
	// minute is the present one; now and before count in it and in the one before, by workspace.
	minute      int64
	now, before map[string]int
}

// urgency counts one call of a workspace and returns how urgent its review is.
func (c *crowds) urgency(workspaceID string, at time.Time) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if minute := at.Unix() / 60; minute != c.minute || c.now == nil {
		if c.before = c.now; minute != c.minute+1 {
			c.before = nil
		}
		c.minute, c.now = minute, map[string]int{}
	}
	c.now[workspaceID]++
	urgency, n := mostUrgent, c.now[workspaceID]+c.before[workspaceID]
	for limit := 100; n > limit && urgency < leastUrgent; limit *= 10 {
		urgency++
	}
	return urgency
}

// byUrgency are ids of calls.
type byUrgency [leastUrgent + 1][]string

// spreadBetween separates the ids of a JobSpread. Its first word is how urgent they are; without one, they are most urgent.
const spreadBetween = " "

func spreadID(urgency int, ids []string) string {
	all := strings.Join(ids, spreadBetween)
	if urgency == mostUrgent {
		return all
	}
	return strconv.Itoa(urgency) + spreadBetween + all
}

func readSpreadID(id string) (urgency int, ids []string) {
	ids = strings.Split(id, spreadBetween)
	if urgency, err := strconv.Atoi(ids[0]); err == nil {
		return urgency, ids[1:]
	}
	return mostUrgent, ids
}
