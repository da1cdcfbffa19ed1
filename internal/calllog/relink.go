package calllog

import "context"

// relinkBatch is how many calls one transaction gives to an agent: few enough
// that arriving call logs do not wait for it.
const relinkBatch = 200

// Relink gives an agent the calls that came before it did, or before it had its
// source id. It may be run again, and goes on where it was broken off.
func (s *Service) Relink(ctx context.Context, agentID string) error {
	for {
		n := 0
		err := s.Store.Write(ctx, func(tx Tx) error {
			agent, ok, err := tx.AgentOf(ctx, agentID)
			if err != nil || !ok {
				return err
			}
			ids, err := tx.LinkCalls(ctx, agent, relinkBatch)
			n = len(ids)
			if err != nil || n == 0 || s.Relinked == nil {
				return err
			}
			return s.Relinked(ctx, tx, agentID, ids)
		})
		if err != nil || n < relinkBatch {
			return err
		}
	}
}
