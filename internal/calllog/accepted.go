package calllog

// Accepted is the answer to a submission that is on disk.
type Accepted struct {
	// ID is the call it became or belongs to.
	ID string
	// Status is "accepted".
	Status string
	// AgentID is the agent it is linked to, nil when there is none.
	AgentID *string
	// Duplicate says that this call was submitted before.
	Duplicate bool
}
