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
	openTooLong          = "25P04" // one took longer than transaction_timeout
	statementStopped     = "57014" // by statement_timeout, or by somebody
	lockTooLong          = "55P03" // lock_timeout
	notInRepertoire      = "22021"
	diskFull             = "53100"
	noResources          = "53000"
	noMemory             = "53200"
	tooManyConnections   = "53300"
	readOnly             = "25006" // a standby that was the primary a moment ago
	adminShutdown        = "57P01"
	crashShutdown        = "57P02"
	cannotConnectNow     = "57P03"
	databaseDropped      = "57P04"
	idleTooLong          = "57P05" // idle_session_timeout
	systemError          = "58000"
	ioError              = "58030"
	fileMissing          = "58P01"
	statementThere       = "42P05" // a prepared statement of that name
	statementMissing     = "26000"
	noPrivilege          = "42501" // somebody has taken it from the role, or given the tables away
	tableMissing         = "42P01" // another schema or search path, or a dump that is being restored over it
	dataCorrupted        = "XX001"
	indexCorrupted       = "XX002"
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
	if errors.Is(err, errHung) || isConnecting(err) && pgconn.Timeout(err) {
		return store.Hung
	}
	if isConnecting(err) { // also where the server says why: a changed password, a renamed database
		return store.Away
	}
	if state := stateOf(err); state != "" {
		return classifyState(state)
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
	case dataCorrupted, indexCorrupted:
		return store.Broken
	case statementStopped, lockTooLong, openTooLong: // it has waited as long as it may
		return store.Hung
	case noResources, noMemory, tooManyConnections, readOnly, noPrivilege, tableMissing,
		adminShutdown, crashShutdown, cannotConnectNow,
		databaseDropped, idleTooLong, systemError, ioError, fileMissing:
		return store.Away
	}
	if strings.HasPrefix(code, connectionClass) {
		return store.Away
	}
	return store.Final
}

// isConnecting reports whether a connection could not be made.
func isConnecting(err error) bool {
	var connecting *pgconn.ConnectError
	return errors.As(err, &connecting)
}

// isReadOnly reports whether the server has answered that it takes no writes.
func isReadOnly(err error) bool { return stateOf(err) == readOnly }

// stateOf is the state that the server gave, "" when the failure is not its answer.
func stateOf(err error) string {
	var failure *pgconn.PgError
	if !errors.As(err, &failure) {
		return ""
	}
	return failure.Code
}

// Explain implements store.Explainer.
func (e *Engine) Explain(err error) *problem.Error {
	if errors.Is(err, errUncertain) {
		return nil
	}
	switch stateOf(err) {
	case readOnly:
		return takesNoWrites()
	case statementStopped, lockTooLong, openTooLong:
		return brokenOff()
	case noPrivilege:
		return notAllowed()
	case tableMissing:
		return tablesGone()
	}
	return nil
}

func brokenOff() *problem.Error {
	return problem.New(problem.Unavailable, "the database broke off what it was asked: it took longer than its settings allow, or somebody stopped it").
		WithHint("nothing was changed; try again in a moment. Where it comes again, look at what holds the database up, " +
			"and at its statement_timeout, lock_timeout and transaction_timeout")
}

func notAllowed() *problem.Error {
	return problem.New(problem.Unavailable, "the database does not allow the service to read or write its tables").
		WithHint("nothing was changed; see whose the tables are, and what the role in --database may do with them. The service goes on by itself once it may")
}

func tablesGone() *problem.Error {
	return problem.New(problem.Unavailable, "the tables of the database are gone from where they were").
		WithHint("nothing was changed; see whether somebody restores them, or has moved them to a schema that is not on the search path. The service goes on by itself once they are back")
}

func takesNoWrites() *problem.Error {
	return problem.New(problem.Unavailable, "the database takes no writes: it is a standby, or set to be read only").
		WithHint("nothing was changed; see whether --database leads to the primary. The service goes on by itself once it can write")
}

// noneLeft is told at the start. A service that runs goes on by itself once there are connections again.
func noneLeft(err error) *problem.Error {
	return problem.New(problem.Unavailable, "the database has no connections left").
		WithHint("end other connections to it, let it take more (max_connections of the server, CONNECTION LIMIT of the database and the role), " +
			"or let each process have fewer (pool_max_conns in --database)").Because(err)
}

// notReached is told at the start, with what the driver says, which repeats no password.
func notReached(name string, err error) *problem.Error {
	return problem.New(problem.Unavailable, "the database %s cannot be reached, or does not let the service in", name).
		WithHint("see whether PostgreSQL runs, and whether host, port, user, password and name in --database are right").Because(err)
}

// broken reports whether the connection could not be made or did not hold. The
// end of a context is not it: that is the wish of whoever asked.
func broken(err error) bool {
	var network net.Error
	switch {
	case err == nil:
		return false
	case isConnecting(err), errors.Is(err, errAway):
		return true
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		errors.Is(err, pgconn.ErrConnClosed):
		return true
	}
	return errors.As(err, &network) || pgconn.SafeToRetry(err)
}
