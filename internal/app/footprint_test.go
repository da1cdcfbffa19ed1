package app

import (
	"net/http"
	"testing"
)

// Thousands of bad requests leave nothing open. It is not parallel to others: it
// counts what the whole process holds.
func TestBadRequestsLeaveNothingBehind(t *testing.T) {
	r := newRig(t)
	all := func() {
		everyBrokenBody(t, r)
		everyOddQuery(t, r)
		everyOddKey(t, r)
		for _, c := range httpCases() {
			_, _ = r.raw(t, c.request) // what it answers is another test
		}
		http.DefaultClient.CloseIdleConnections()
	}
	all()
	before := held(nil)
	all()
	compare(t, before)
}
