package experiment

import (
	"context"
	"time"
)

// pace lets a call that has its place begin no sooner after the one before it,
// in this process, than the calls per second allow. The places are given at
// the right distance; but what lies between a place and the dialling (a caller
// that is made, a slow disk) takes now longer and now shorter.
func (s *Service) pace(ctx context.Context, p *placement) {
	l := s.limits(p)
	spacing := map[string]time.Duration{}
	if l.TrunkCallsPerSecond > 0 {
		spacing["trunk:"+l.Trunk] = time.Duration(float64(time.Second) / l.TrunkCallsPerSecond)
	}
	if l.AgentCallsPerSecond > 0 {
		spacing["agent:"+l.AgentID] = time.Duration(float64(time.Second) / l.AgentCallsPerSecond)
	}
	s.mu.Lock()
	now := s.Steady()
	at := now
	for name := range spacing {
		at = max(at, s.next[name])
	}
	for name, d := range spacing {
		s.next[name] = at + d
	}
	s.mu.Unlock()
	if at > now {
		_ = s.Wait(ctx, at-now) // the line sees for itself that ctx has ended
	}
}
