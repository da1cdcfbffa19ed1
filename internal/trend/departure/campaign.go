package departure

import (
	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// campaignHours is how long several times the usual calls may have been the new usual,
// from their beginning on, for calls that are back at the level before to be no outage.
const campaignHours = 4 * weekHours

// dearth is which share of what the level before lets expect must have come for calls to be
// back at it, unless so few are expected that fewer come once in dearthOnce times.
const dearth, dearthOnce = 0.5, 0.005

// backHours of calls that are back end an outage that the end of a campaign lay in, when they
// let expect backCalls by the level before.
const backHours, backCalls = 4, 20

// campaign is a rise of calls that was taken for the new usual: an advertisement, a season, an
// agent that calls out. The zero value is none.
type campaign struct {
	// start is its first hour, level that behind the calls before it.
	start int
	level float64
}

// rises remembers the level before a rise that is now the usual. Of rises on rises the first counts.
func (s *scanner) rises(r *departure) {
	if s.g.m.Kind != trend.Count || r.sign != trend.Up || s.campaign.level > 0 && r.start-s.campaign.start < campaignHours {
		return
	}
	s.campaign = campaign{r.start, s.g.hours[r.start].level}
}

// isBack tells whether the hours from first to i miss nothing but what a campaign had
// brought: they are no outage then.
func (s *scanner) isBack(first, i int) bool {
	seen, usually := s.byLevelBefore(first, i)
	if usually == 0 {
		return false
	}
	h := &s.g.hours[i]
	fewer, _ := chance.NegBinomialTail(seen, usually, 1/max(h.spread+h.common, 1e-6))
	return seen >= dearth*usually || fewer > dearthOnce
}

// byLevelBefore is how many calls came in the hours from first to i, and how many the level
// before the campaign lets expect; none when there was no campaign.
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

// endOutage ends the open outage when calls are back at the level before the campaign
// within which it began.
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

// goBack takes the level before the campaign for the usual again, from the given hour on.
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
