package experiment

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// TrunkState is a trunk as those see it who choose one.
type TrunkState struct {
	Trunk
	// Answers is nil when the trunk was not asked.
	Answers *bool
}

// probes remembers what trunks have answered, so that looking costs them little.
type probes struct {
	mu    sync.Mutex
	known map[string]probed
}

type probed struct {
	answers bool
	at      time.Time
}

// freshProbe is how long an answer of a trunk holds.
const freshProbe = 15 * time.Second

// ListTrunks are the trunks of this process, the default first. With ask each of
// them is asked whether it is there, which takes up to five seconds.
func (s *Service) ListTrunks(ctx context.Context, ask bool) []TrunkState {
	list := make([]TrunkState, len(s.Trunks))
	var asking errgroup.Group
	for i, t := range s.Trunks {
		list[i].Trunk = t
		if ask && s.Probe != nil {
			asking.Go(func() error {
				answers := s.answers(ctx, t.Name)
				list[i].Answers = &answers
				return nil
			})
		}
	}
	_ = asking.Wait()
	return list
}

func (s *Service) answers(ctx context.Context, trunk string) bool {
	s.probes.mu.Lock()
	last, ok := s.probes.known[trunk]
	s.probes.mu.Unlock()
	if ok && s.Now().Sub(last.at) < freshProbe {
		return last.answers
	}
	answers := s.Probe(ctx, trunk) == nil
	if ctx.Err() != nil {
		return answers // nobody waited for the end of it
	}
	s.probes.mu.Lock()
	defer s.probes.mu.Unlock()
	if s.probes.known == nil {
		s.probes.known = map[string]probed{}
	}
	s.probes.known[trunk] = probed{answers, s.Now()}
	return answers
}
