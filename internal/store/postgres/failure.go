package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
)

// The SQLSTATEs that mean something to package store.
const (
	uniqueViolation      = "23505"
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	heldTooLong          = "25P03" // a transaction stood still
	notInRepertoire      = "22021"
	diskFull             = "53100"
	tooManyConnections   = "53300"
	readOnly             = "25006" // a standby that was the primary a moment ago
	adminShutdown        = "57P01"
	crashShutdown        = "57P02"
	cannotConnectNow     = "57P03"
	ioError              = "58030"
	statementThere       = "42P05" // a prepared statement of that name
	statementMissing     = "26000"
	// connectionClass begins every state that says the connection broke.
	connectionClass = "08"
)

// errAway is the failure of a commit that did not come to pass.
var errAway = errors.New("the database went away")

// errUncertain is a commit whose end could not be found out.
var errUncertain = errors.New("the end of a commit is not known")

// Classify implements store.Engine.
func (e *Engine) Classify(err error) store.Failure {
	if errors.Is(err, errUncertain) {
		return store.Uncertain
	}
	var connecting *pgconn.ConnectError
	if errors.Is(err, errHung) || errors.As(err, &connecting) && pgconn.Timeout(err) {
		return store.Hung
	}
	if connecting != nil { // also where the server says why: a changed password, a renamed database
		return store.Away
	}
	var failure *pgconn.PgError
	if errors.As(err, &failure) {
		return classifyState(failure.Code)
	}
	if broken(err) {
		return store.Away
	}
	return store.Final
}

func classifyState(code string) store.Failure {
	switch code {
	case uniqueViolation:
		return store.Duplicate
	case serializationFailure, deadlockDetected, heldTooLong:
		return store.Transient
	case notInRepertoire:
		return store.Unfit
	case diskFull:
		return store.Full
	case tooManyConnections, readOnly, adminShutdown, crashShutdown, cannotConnectNow, ioError:
		return store.Away
	}
	if strings.HasPrefix(code, connectionClass) {
		return store.Away
	}
	return store.Final
}

// isReadOnly reports whether the server has answered that it takes no writes.
func isReadOnly(err error) bool {
	var failure *pgconn.PgError
	return errors.As(err, &failure) && failure.Code == readOnly
}

// Explain implements store.Explainer.
func (e *Engine) Explain(err error) *problem.Error {
	if !isReadOnly(err) {
		return nil
	}
	return takesNoWrites()
}

func takesNoWrites() *problem.Error {
	return problem.New(problem.Unavailable, "the database takes no writes: it is a standby, or set to be read only").
		WithHint("nothing was changed; see whether --database leads to the primary. The service goes on by itself once it can write")
}

// isOfAnotherSession reports whether a connection has met what another one has prepared, or missed what itself had.
func isOfAnotherSession(err error) bool {
	var failure *pgconn.PgError
	return errors.As(err, &failure) && (failure.Code == statementThere || failure.Code == statementMissing)
}

func pooledByTransaction(err error) *problem.Error {
	return problem.New(problem.Unavailable, "a pooler stands before the database that gives each transaction another session").
		WithHint("have it pool by session (pool_mode = session in PgBouncer), or connect to the database itself").Because(err)
}

// broken reports whether the connection could not be made or did not hold. The
// end of a context is not it: that is the wish of whoever asked.
func broken(err error) bool {
	var connecting *pgconn.ConnectError
	var network net.Error
	switch {
	case err == nil:
		return false
	case errors.As(err, &connecting), errors.Is(err, errAway):
		return true
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		errors.Is(err, pgconn.ErrConnClosed):
		return true
	}
	return errors.As(err, &network) || pgconn.SafeToRetry(err)
}
