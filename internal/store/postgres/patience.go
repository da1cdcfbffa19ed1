package postgres

import (
	"context"
	"errors"
	"time"
)

// patience bounds every wait for the server: one that takes connections and
// never answers must not hold those who ask for ever.
type patience struct {
	// begin is how long a transaction waits for a connection, and for its end.
	begin time.Duration
	// statement bounds one statement, with its wait for locks.
	statement time.Duration
	// commit bounds a commit; it does not end with the request, for then nobody
	// would know what became of it.
	commit time.Duration
	// fate is how long we try to find out what became of a commit whose connection broke.
	fate time.Duration
}

func usualPatience() patience {
	return patience{begin: 10 * time.Second, statement: 30 * time.Second, commit: 30 * time.Second, fate: 20 * time.Second}
}

// errHung is the failure of waiting too long for an answer.
var errHung = errors.New("the database does not answer in time")

// bounded calls f, which heeds its context, and gives up after d.
func bounded(ctx context.Context, d time.Duration, f func(context.Context) error) error {
	patient, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	return hungOr(ctx, patient, f(patient))
}

// hungOr names an error that comes of our patience's end, and not of outer's.
func hungOr(outer, patient context.Context, err error) error {
	if err != nil && outer.Err() == nil && errors.Is(patient.Err(), context.DeadlineExceeded) {
		return errors.Join(errHung, err)
	}
	return err
}
