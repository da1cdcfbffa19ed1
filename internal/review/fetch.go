package review

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// The kinds of jobs that run Fetch; their id is the call's. A current call does not wait behind an
// imported history.
const (
	JobFetch     = "fetch"
	JobFetchPast = "fetch_past"
)

// fetchJob returns the kind of job that fetches the recording of a call.
func fetchJob(c *call.Call) string {
	if c.IsPast() {
		return JobFetchPast
	}
	return JobFetch
}

const (
	// fetchFor is how long a recording that cannot be had right now is tried again.
	fetchFor = time.Hour
	// patientTries is how many tries the review waits for. After them it goes on with the
	// transcript, and is repeated when the recording comes.
	patientTries = 3
	// making is how long after a call's end its recording may be missing from its address:
	// platforms announce it before they have put it there.
	making = 10 * time.Minute
	// patience is the longest pause that a host may ask for, or that lies between tries, for the
	// review to wait for it.
	patience = 30 * time.Second
	// maxFetched limits the length of a recording, and maxFile the size of its file in bytes, enough
	// for 90 min of 16-bit stereo at 48 kHz.
	maxFetched = 2 * time.Hour
	maxFile    = 1 << 30
	// decoding limits how many recordings are in memory at a time; at most one of them may be long.
	decoding = 2
)

// FetchState is how far the fetch of a production call's recording is.
type FetchState string

// The states of a fetch.
const (
	FetchWanted FetchState = "wanted"
	FetchHad    FetchState = "had"
	FetchFailed FetchState = "failed"
)

// Fetch is the state of the fetch of one recording.
type Fetch struct {
	CallID string
	// Source is a digest of the addresses; it changes when a record names another one.
	Source string
	State  FetchState
	// Tries counts failed tries, and FirstAt is the time of the first.
	Tries   int
	FirstAt time.Time
	// Reason is a clause for people: why the fetch failed, or what is wrong with the recording; "" if
	// nothing is.
	Reason string
}

// addressDigest returns a digest that identifies an address without revealing secrets in it.
func addressDigest(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:16])
}

// sourceOf is a digest of all addresses at which the recording is said to be. A new one is worth
// asking when the others had nothing.
func sourceOf(told *call.Reported) string {
	all := []string{told.RecordingURL}
	for _, other := range told.OtherRecordings {
		all = append(all, other.URL)
	}
	return addressDigest(strings.Join(all, "\n"))
}

// fetchPause returns how long to wait after the given number of failed tries: 2, 8, 18 s and so on,
// at most 10 min.
func fetchPause(tries int) time.Duration {
	return min(time.Duration(2*tries*tries)*time.Second, 10*time.Minute)
}

// wantsRecording reports whether the recording of a call is still to be fetched, and whether its
// review should wait for that. It begins the fetch when there is none.
func (s *Service) wantsRecording(ctx context.Context, tx Tx, m *material) (wait bool, err error) {
	if s.o.Outside == nil || s.o.Shelf == nil || !hasRecording(m) {
		return false, nil
	}
	f, ok, err := tx.FetchOf(ctx, m.call.ID)
	if err != nil {
		return false, err
	}
	source := sourceOf(&m.reported)
	switch {
	case ok && f.Source == source && f.State == FetchWanted:
		m.fetch = f
		return f.Tries < patientTries && s.o.Now().Sub(f.FirstAt).Abs() < fetchFor, nil
	case ok && f.Source == source, ok && f.State == FetchHad && m.call.Recording != nil && !betters(m):
		m.fetch = f
		return false, nil
	}
	m.fetch = Fetch{CallID: m.call.ID, Source: source, State: FetchWanted, FirstAt: s.o.Now()}
	if err := tx.SaveFetch(ctx, m.fetch); err != nil {
		return false, err
	}
	return true, tx.Enqueue(ctx, fetchJob(&m.call), m.call.ID, 0)
}

// hasRecording reports whether the platform names a recording.
func hasRecording(m *material) bool {
	return m.call.Origin == call.Production && m.reported.RecordingURL != "" && !m.call.AnsweredAt.IsZero()
}

// betters reports whether the recording that the platform names now is better than the one we have:
// with a channel for each side, or scrubbed of personal data.
func betters(m *material) bool {
	rec := m.call.Recording
	if rec.Scrubbed != m.reported.ScrubbedRecording {
		return m.reported.ScrubbedRecording
	}
	return rec.Mixed && m.reported.Channels == 2
}

// Fetch is the job that fetches the recording of a production call. It returns nil when nothing is
// left to do, and Wait when it should run again later. The call is reviewed as soon as it is known
// what recording there will be.
func (s *Service) Fetch(ctx context.Context, callID string) error {
	if !s.ledger.begin(JobFetch + " " + callID) {
		return Wait{After: waitStep}
	}
	defer s.ledger.end(JobFetch + " " + callID)
	err := s.fetch(ctx, callID)
	var wait Wait
	if err == nil || errors.As(err, &wait) || ctx.Err() != nil {
		return err
	}
	// Our own store or shelf failed. The job must go on, because the review waits for it.
	s.o.Log.WarnContext(ctx, "the fetch of a recording is put off", "call", callID, "error", err)
	return Wait{After: fetchPause(patientTries)}
}

func (s *Service) fetch(ctx context.Context, callID string) error {
	m, err := s.wanted(ctx, callID)
	if err != nil || m == nil {
		return err
	}
	if m.fetch.State != FetchWanted || m.reported.RecordingURL == "" {
		return s.forget(ctx, &m.call)
	}
	m.fetch.FirstAt = s.firstTry(&m.fetch)
	err = s.safely(ctx, callID, func() error { return s.bring(ctx, m) })
	var never NeverHad
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return err
	case errors.As(err, &never):
		return s.missed(ctx, m, miss{reason: never.Reason, final: true})
	}
	reason, after := reasonOf(err), time.Duration(0)
	var later NotYet
	if errors.As(err, &later) {
		reason, after = later.Reason, later.After
	}
	why, ours := reason, isOurDisk(err)
	if ours { // an error of the disk does not contain the recording's address
		why = err.Error()
	}
	if left, ok := s.hush.speak(reason, s.o.Now()); ok {
		s.o.Log.WarnContext(ctx, "a recording could not be fetched", "call", callID, "try", m.fetch.Tries+1, "why", why, "not_told", left)
	}
	// A recording that makes the decoder panic does so on every try.
	broken := errors.Is(err, errPanicked) && m.fetch.Tries+1 >= patientTries
	if ours { // time in which we could not store the recording does not count against its place
		m.fetch.FirstAt = s.o.Now()
	}
	return s.missed(ctx, m, miss{reason: reason, after: after, final: broken || s.o.Now().Sub(m.fetch.FirstAt).Abs() >= fetchFor})
}

// firstTry is the time of the first try, adjusted by today's clock. A fetch begins with its first
// try, however long that had to wait in the queue. When nobody tried for more than an hour, because
// the service was stopped or a clock was set, that hour is not held against the host.
func (s *Service) firstTry(f *Fetch) time.Time {
	now, waited := s.o.Now(), time.Duration(0)
	for n := range f.Tries {
		waited += fetchPause(n + 1)
	}
	if gone := now.Sub(f.FirstAt); f.Tries == 0 || gone < 0 || gone > waited+fetchFor+making {
		return now.Add(-waited)
	}
	return f.FirstAt
}

// isOurDisk reports whether what was fetched could not be stored, because our disk is full or takes
// no writes. That passes sooner or later and says nothing about the recording's host.
func isOurDisk(err error) bool {
	var file *fs.PathError
	return problem.Is(err, problem.Unavailable) || errors.As(err, &file)
}

// wanted reads what a fetch needs to know; nil if the call no longer exists.
func (s *Service) wanted(ctx context.Context, callID string) (m *material, err error) {
	err = s.o.Store.Read(ctx, func(tx Tx) error {
		m = &material{}
		if m.call, err = tx.CallByID(ctx, "", callID); err != nil {
			return err
		}
		if m.reported, m.told, err = tx.ReportedOf(ctx, callID); err != nil {
			return err
		}
		m.fetch, _, err = tx.FetchOf(ctx, callID)
		return err
	})
	if problem.Is(err, problem.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what is known of the recording: %w", err)
	}
	return m, nil
}

// miss describes a failed try.
type miss struct {
	reason string
	// after is how long the host asks us to wait, 0 if it does not say.
	after time.Duration
	// final says that there are no further tries.
	final bool
}

// missed records that a try has failed.
func (s *Service) missed(ctx context.Context, m *material, how miss) error {
	f, before, final := m.fetch, m.fetch.Tries, how.final
	f.Tries, f.Reason = f.Tries+1, how.reason
	if how.after > patience || s.o.Now().Sub(f.FirstAt) > patience {
		f.Tries = max(f.Tries, patientTries) // the review does not wait that long
	}
	if final {
		f.State = FetchFailed
	}
	err := s.o.Store.Write(ctx, func(tx Tx) error {
		if err := tx.SaveFetch(ctx, f); err != nil {
			return err
		}
		if lost := before < patientTries && f.Tries >= patientTries; !final && !lost {
			return nil
		}
		return tx.Enqueue(ctx, reviewJob(&m.call), f.CallID, 0)
	})
	if err != nil {
		return fmt.Errorf("write down how the recording was missed: %w", err)
	}
	s.tell(Fetched{GivenUp: final})
	if !final {
		return Wait{After: max(fetchPause(f.Tries), min(how.after, fetchFor))}
	}
	return nil
}
