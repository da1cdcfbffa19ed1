package calllog

import "context"

// relinkBatch is how many calls one transaction links: few enough that arriving
// call logs need not wait for it.
const relinkBatch = 200

// Relink links to an agent the calls that arrived before it, or its source id,
// existed. It can be repeated, and continues where it was interrupted.
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
