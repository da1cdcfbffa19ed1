package client

// Call is one conversation with what its review found out.
type Call struct {
	ID            string `json:"id"`
	Status        string `json:"status"`
	ScoringStatus string `json:"scoring_status"`
}
