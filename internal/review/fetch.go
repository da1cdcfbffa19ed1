package review

import "time"

// FetchState is how far the recording of a production call has come.
type FetchState string

// The states of a fetch.
const (
	FetchWanted FetchState = "wanted"
	FetchHad    FetchState = "had"
	FetchFailed FetchState = "failed"
)

// Fetch is the way of one recording to us.
type Fetch struct {
	CallID string
	// Source is a digest of the address, so that a better recording that is told of later is seen.
	Source string
	State  FetchState
	// Tries counts those that failed, FirstAt is when the first was made.
	Tries   int
	FirstAt time.Time
	// Reason is a clause for people why it failed, "" when it has not.
	Reason string
}
