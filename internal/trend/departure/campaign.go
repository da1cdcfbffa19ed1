package departure

import (
	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// campaignHours is how long after its beginning a multiple of the usual calls may end without
// counting as an outage, even if it had become the new usual.
const campaignHours = 4 * weekHours

// dearth is the share of the calls expected at the previous level that must arrive for calls to be
// back at it, unless so few are expected that fewer arrive with a probability above dearthOnce.
const dearth, dearthOnce = 0.5, 0.005

// backHours hours of calls back at the previous level end an outage that included the end of a
// campaign, if backCalls calls were expected in them at that level.
const backHours, backCalls = 4, 20

// campaign is a rise in calls that became the new usual: an advertisement, a season, an agent that
// calls out. The zero value means none.
type campaign struct {
	// start is its first hour, level the level before it.
	start int
	level float64
}

// rises remembers the level before a rise that became the new usual. Of several rises in a row, the
// first counts.
func (s *scanner) rises(r *departure) {
	if s.g.m.Kind != trend.Count || r.sign != trend.Up || s.campaign.level > 0 && r.start-s.campaign.start < campaignHours {
		return
	}
	s.campaign = campaign{r.start, s.g.hours[r.start].level}
}

// isBack reports whether the hours from first to i lack nothing but the calls that a campaign had
// brought, so that they are no outage.
func (s *scanner) isBack(first, i int) bool {
	seen, usually := s.byLevelBefore(first, i)
	if usually == 0 {
		return false
	}
	h := &s.g.hours[i]
	fewer, _ := chance.NegBinomialTail(seen, usually, 1/max(h.spread+h.common, 1e-6))
	return seen >= dearth*usually || fewer > dearthOnce
}

// byLevelBefore returns how many calls arrived in the hours from first to i, and how many were
// expected at the level before the campaign; both are 0 without a campaign.
func (s *scanner) byLevelBefore(first, i int) (seen, usually float64) {
	if s.campaign.level == 0 || i-s.campaign.start > campaignHours {
		return 0, 0
	}
	for j := first; j <= i; j++ {
		if h := &s.g.hours[j]; h.level > s.campaign.level {
			seen += h.x
			usually += h.e / h.level * s.campaign.level
		}
	}
	return seen, usually
}

// endOutage ends the open outage if calls are back at the level before the campaign during which it
// began.
func (s *scanner) endOutage(i int) bool {
	r, first := s.open, i-backHours+1
	if r.sign != trend.Down || first <= r.start {
		return false
	}
	if seen, usually := s.byLevelBefore(first, i); usually < backCalls || seen < dearth*usually {
		return false
	}
	r.closed, r.end = true, first-1
	s.close(i)
	s.goBack(first, i)
	return true
}

// goBack makes the level before the campaign the usual one again, from hour first on.
func (s *scanner) goBack(first, i int) {
	s.now.level = s.campaign.level
	s.g.level, s.g.back = first, s.campaign.level
	s.g.levels = append(s.g.levels, first)
	s.floor = i + 1
	for j := first; j <= i; j++ {
		h := &s.g.hours[j]
		h.astray, h.clipped = true, h.x
	}
	s.campaign = campaign{}
}
