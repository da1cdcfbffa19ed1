// Package storetest is what every engine of package store has to do: one suite
// that the tests run on SQLite and on PostgreSQL, always both. Its own tests
// bring the engines (store/sqlite, store/postgres).
package storetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
)

// Open makes an empty database that lives as long as the test, and returns a
// function that opens one more handle on it, as one more process would.
type Open func(t *testing.T) (handle func(now func() time.Time) *store.Store)

// Run runs the suite.
func Run(t *testing.T, open Open) {
	cases := map[string]func(*testing.T, *bench){
		"agents":                          agents,
		"datasets":                        datasets,
		"item versions":                   itemVersions,
		"item page":                       itemPage,
		"prompts and scorers":             versions,
		"workspaces and keys":             keys,
		"experiments":                     experiments,
		"calls":                           calls,
		"call filters":                    callFilters,
		"calls in rare states":            rareStates,
		"call pages":                      callPages,
		"calls by end and item":           callsByEnd,
		"calls by metadata":               callsByMetadata,
		"failing calls":                   callsFailing,
		"many failing calls":              callsFailingMany,
		"calls of a dimension":            callsOfDimension,
		"calls counted together":          callsCountedTogether,
		"calls of counted times":          callsOfCountedTimes,
		"calls behind unreviewed ones":    callsBehindUnreviewed,
		"found and past":                  foundAndPast,
		"saved views":                     savedViews,
		"views of a forgotten person":     viewsOfAForgottenPerson,
		"changes at once":                 changesAtOnce,
		"changes of a person at once":     personChangesAtOnce,
		"prices":                          prices,
		"tally":                           tally,
		"outcomes":                        outcomes,
		"calls ended together":            callsEndedTogether,
		"rooms":                           rooms,
		"many rooms":                      manyRooms,
		"attempts":                        attempts,
		"discarded recordings":            discardedRecordings,
		"attempt that is buried late":     buriedLate,
		"open attempts":                   openAttempts,
		"rate":                            rate,
		"agent limit keeps trunk free":    refusedClaimCostsNothing,
		"missed turn":                     missedTurn,
		"concurrency":                     concurrency,
		"a gate from the future":          gateFromTheFuture,
		"the database's own time":         databaseTime,
		"played items":                    playedItems,
		"concurrency over handles":        concurrencyOverHandles,
		"rate over handles":               rateOverHandles,
		"reviews":                         reviews,
		"feelings":                        feelings,
		"fetches":                         fetches,
		"replays":                         replays,
		"plan of a production call":       productionPlan,
		"stalled reviews":                 stalledReviews,
		"stalled by one clock":            stalledByOneClock,
		"overtaken reviews":               overtakenReviews,
		"payloads":                        payloads,
		"submissions":                     submissions,
		"erasure":                         erasure,
		"calls that arrive together":      arrivedTogether,
		"arrivals within a transaction":   arrivedWithin,
		"what is known to arrivals":       knownToArrivals,
		"links of calls to agents":        links,
		"test call by id":                 testCallByID,
		"test call by numbers":            testCallByNumbers,
		"events":                          events,
		"events in the order of commits":  eventsInOrder,
		"trim":                            trim,
		"idempotency keys":                idempotency,
		"key and thing together":          keyAndThing,
		"one of many uses a key":          idempotencyRace,
		"one of many makes the first":     firstRace,
		"monitor facts":                   monitorFacts,
		"monitor waiting":                 monitorWaiting,
		"monitor callers":                 monitorCallers,
		"monitor marks":                   monitorMarks,
		"monitor rolls":                   monitorRolls,
		"monitor weeks":                   monitorWeeks,
		"monitor windows":                 monitorWindows,
		"monitor reports":                 monitorReports,
		"monitor reports changed":         changedReports,
		"monitor texts":                   monitorTexts,
		"monitor values forgotten":        forgottenValues,
		"monitor dimensions":              monitorDimensions,
		"recording credentials":           recordingCredentials,
		"platform keys":                   platformKeys,
		"persons":                         persons,
		"members":                         members,
		"members by name":                 membersByName,
		"the last owner":                  lastOwners,
		"sessions":                        sessions,
		"invitations":                     invitations,
		"entrance tokens":                 entranceTokens,
		"what people left is trimmed":     trimmedPeople,
		"audit log":                       auditLog,
		"commits that are told of":        commitsToldOf,
		"rollback":                        rollback,
		"texts of any kind":               texts,
		"locked rows lose no update":      lostUpdates,
		"locked calls lose no move":       heldCalls,
		"cancelled":                       cancelled,
		"read is one state":               readIsOneState,
		"a view passes the right tx type": views,
	}
	for name, f := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &bench{at: start, open: open(t)}
			b.Store = b.open(b.now)
			f(t, b)
		})
	}
}

// start is when every test begins.
var start = time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC) //nolint:gochecknoglobals // a constant in all but type

// bench is a store and its clock.
type bench struct {
	*store.Store
	open func(now func() time.Time) *store.Store

	mu sync.Mutex
	at time.Time
}

func (b *bench) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.at
}

func (b *bench) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at = b.at.Add(d)
}

// must runs f in a transaction that has to commit.
func (b *bench) must(t *testing.T, f func(ctx context.Context, tx *store.Tx) error) {
	t.Helper()
	if err := b.Write(t.Context(), func(tx *store.Tx) error { return f(t.Context(), tx) }); err != nil {
		t.Fatalf("write: %v", err)
	}
}

// get runs f in a reading transaction and returns what it found.
func get[T any](t *testing.T, b *bench, f func(ctx context.Context, tx *store.Tx) (T, error)) (v T) {
	t.Helper()
	if err := b.Read(t.Context(), func(tx *store.Tx) (err error) {
		v, err = f(t.Context(), tx)
		return err
	}); err != nil {
		t.Fatalf("read: %v", err)
	}
	return v
}

// refused runs f in a transaction that has to fail with the code.
func (b *bench) refused(t *testing.T, code problem.Code, f func(ctx context.Context, tx *store.Tx) error) {
	t.Helper()
	err := b.Write(t.Context(), func(tx *store.Tx) error { return f(t.Context(), tx) })
	if !problem.Is(err, code) {
		t.Errorf("got %v, want a problem %s", err, code)
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
