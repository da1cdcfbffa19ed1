package review

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/decode"
)

// bring gets the recording from the first place that has it, the best places first. A place that
// may still get it is waited for as long as the review waits: to take a mix that is there already
// would lose the separate channels for good.
func (s *Service) bring(ctx context.Context, m *material) error {
	there, err := s.bringFrom(ctx, m, m.reported.RecordingURL)
	for _, other := range m.reported.OtherRecordings {
		if there || ctx.Err() != nil || !isLost(err) && !isOverdue(err, m.fetch.Tries+1) {
			return err
		}
		var next error
		if there, next = s.bringFrom(ctx, m, other.URL); there || isLost(err) && !isLost(next) {
			err = next
		}
	}
	return err
}

// isLost reports whether a place will never have the recording.
func isLost(err error) bool {
	var never NeverHad
	return errors.As(err, &never)
}

// isOverdue reports whether a place that may still get the recording was waited for long enough, or
// asks for more time than the review gives it.
func isOverdue(err error, tries int) bool {
	var later NotYet
	return tries >= patientTries || errors.As(err, &later) && later.After > patience
}

// bringFrom gets the recording from one place, puts the caller left and the agent right, and stores
// it. there reports that the place has it, even if it could not be used.
func (s *Service) bringFrom(ctx context.Context, m *material, address string) (there bool, err error) {
	body, err := s.o.Outside.Fetch(ctx, m.call.WorkspaceID, address)
	if err != nil {
		return false, s.asOfNow(m, err)
	}
	defer body.Close()
	select {
	case s.decoding <- struct{}{}:
		defer func() { <-s.decoding }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	long := &slot{of: s.long}
	defer long.leave()
	sound, err := soundOf(ctx, body, long.take)
	flaw := flawOf(body)
	switch {
	case isLost(err) && flaw != "":
		return false, NotYet{Reason: flaw} // an incomplete file says nothing about the whole one
	case err != nil:
		return false, err
	}
	t := takenOf(sound)
	told, _ := inTimeOf(m.reported, max(m.call.Duration(), t.heard().Length))
	t.cast(&told)
	rec, err := s.o.Shelf.KeepSound(ctx, fetchedKey(&m.call, m.fetch.Source), t.rate, t.caller, t.agent)
	if err != nil {
		return true, err
	}
	rec.Mixed, rec.Roles, rec.Sure, rec.Scrubbed = t.mixed, t.roles, t.sure, m.reported.ScrubbedRecording
	m.fetch.Reason = joinedNote(flaw, sound.Note)
	heard := t.heard()
	if err := s.had(ctx, m, brought{rec, &heard, true}); err != nil {
		return true, err
	}
	s.tell(Fetched{Had: true, Bytes: rec.Bytes})
	return true, nil
}

func flawOf(body io.Reader) string {
	if f, ok := body.(Flawed); ok {
		return f.Flaw()
	}
	return ""
}

func joinedNote(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// asOfNow turns the error of a place without a recording into NotYet while one may still be put
// there. Times are compared by their distance, because by a clock of ours that is slow the call
// may end in the future.
func (s *Service) asOfNow(m *material, err error) error {
	var never NeverHad
	if errors.As(err, &never) && never.Missing && s.justNow(m.call.EndedAt, making) {
		return NotYet{Reason: never.Reason}
	}
	return err
}

func (s *Service) tell(f Fetched) {
	if s.o.Fetched != nil {
		s.o.Fetched(f)
	}
}

// slot is the right to hold a recording that takes much memory; there is one.
type slot struct {
	of  chan struct{}
	has bool
}

func (t *slot) take(ctx context.Context) error {
	select {
	case t.of <- struct{}{}:
		t.has = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *slot) leave() {
	if t.has {
		<-t.of
	}
}

// soundOf decodes what was fetched. What is not sound now will never be, so its error is final.
func soundOf(ctx context.Context, body io.Reader, heavy func(context.Context) error) (audio.Sound, error) {
	sound, err := decode.Decode(ctx, body, decode.Limits{Bytes: maxFile, Length: maxFetched, Heavy: heavy})
	switch {
	case errors.Is(err, decode.ErrTooLong):
		return sound, NeverHad{Reason: fmt.Sprintf("it is longer than %g hours", maxFetched.Hours())}
	case errors.Is(err, decode.ErrTooFine):
		return sound, NeverHad{Reason: fmt.Sprintf("it has more samples than %g hours at 48 kHz", maxFetched.Hours())}
	case errors.Is(err, decode.ErrTooLarge):
		return sound, NeverHad{Reason: fmt.Sprintf("it is larger than %d MiB", maxFile>>20)}
	case errors.Is(err, decode.ErrFormat):
		reason := "the file that was fetched is not a readable recording"
		if why := decode.Why(err); why != "" {
			reason += ": " + why
		}
		return sound, NeverHad{Reason: reason}
	case err != nil:
		return sound, err
	case len(sound.Channels) == 0 || len(sound.Channels[0]) == 0:
		return sound, NeverHad{Reason: "the file that was fetched has no sound in it"}
	}
	return sound, nil
}
