package api

import "github.com/ringtrue/ringtrue/internal/call"

// Call is a call with what its review found out.
type Call struct {
	ID            string `json:"id"`
	Status        string `json:"status"`
	ScoringStatus string `json:"scoring_status"`
}

// wireCall shows a call; review is nil while there is none.
func wireCall(c call.Call, _ *call.Review) Call {
	return Call{ID: c.ID, Status: string(c.Status), ScoringStatus: string(c.ScoringStatus)}
}
