package calllog

// Accepted is the answer to a submission that has been stored on disk.
type Accepted struct {
	// ID is the id of the call that it created or was added to.
	ID string
	// Status is "accepted".
	Status string
	// AgentID is the agent the call is linked to, nil if none.
	AgentID *string
	// Duplicate says that the call had been submitted before.
	Duplicate bool
}
