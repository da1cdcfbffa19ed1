package speech

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// moody is a model whose answers advance the clock.
type moody struct {
	clock time.Time
	takes time.Duration
	err   error
	asked int
	// during is called while a question is being answered.
	during func()
	bound  bool
}

func (m *moody) now() time.Time { return m.clock }

func (m *moody) Name() string { return "moody" }

func (m *moody) Complete(ctx context.Context, _ chat.Request, _ func(string)) (chat.Message, error) {
	m.asked++
	m.clock = m.clock.Add(m.takes)
	_, m.bound = ctx.Deadline()
	if during := m.during; during != nil {
		m.during = nil
		during()
	}
	return chat.Message{}, m.err
}

var errSilent = problem.New(problem.Unavailable, "the endpoint did not answer within %s", time.Minute).Because(context.DeadlineExceeded)

// newMoody returns a model and a function that asks it, which reports whether the question reached
// it.
func newMoody(t *testing.T) (m *moody, ask func() (came bool, err error)) {
	t.Helper()
	m = &moody{clock: time.Unix(1e9, 0)}
	r := newRestingModel(m, m.now)
	return m, func() (bool, error) {
		before := m.asked
		_, err := r.Complete(t.Context(), chat.Request{}, nil)
		return m.asked > before, err
	}
}

func TestSilentModelHoldsUpOneQuestion(t *testing.T) {
	m, ask := newMoody(t)
	m.takes, m.err = 4*time.Minute, errSilent
	if came, err := ask(); !came || !errors.Is(err, errSilent) {
		t.Fatalf("the first question: %v, %v", came, err)
	}
	for range 3 {
		if came, err := ask(); came || err == nil || !strings.Contains(err.Error(), "asked again later") {
			t.Fatalf("a question to a silent model: %v, %v", came, err)
		}
	}
	m.clock = m.clock.Add(modelRest)
	m.takes = modelRest
	m.during = func() {
		if came, _ := ask(); came {
			t.Error("two questions were put to a silent model at a time")
		}
	}
	if came, _ := ask(); !came || !m.bound {
		t.Fatalf("after its rest it was asked: %v, bounded: %v", came, m.bound)
	}
	if came, _ := ask(); came {
		t.Fatal("it was asked again at once")
	}
	m.clock = m.clock.Add(modelRest)
	m.takes, m.err = time.Second, nil
	for range 2 {
		if came, err := ask(); !came || err != nil {
			t.Fatalf("it answers again: %v, %v", came, err)
		}
	}
	if m.bound {
		t.Error("a model that answers is bounded like one that is silent")
	}
}

func TestModelThatAnswersIsNotSilent(t *testing.T) {
	for name, c := range map[string]struct {
		takes time.Duration
		err   error
	}{
		"failed at once":     {time.Second, problem.New(problem.Unavailable, "the endpoint cannot be reached")},
		"asked for patience": {2 * time.Minute, problem.New(problem.RateLimited, "the endpoint limits how often it may be called")},
		"of no use":          {2 * time.Minute, errors.New("no JSON")},
		"slow":               {2 * time.Minute, nil},
	} {
		t.Run(name, func(t *testing.T) {
			m, ask := newMoody(t)
			m.takes, m.err = c.takes, c.err
			for range 2 {
				if came, _ := ask(); !came {
					t.Fatal("it was left alone")
				}
			}
		})
	}
}

func TestModelThatAnswersOthersMeanwhileIsNotSilent(t *testing.T) {
	m, ask := newMoody(t)
	m.takes, m.err = 4*time.Minute, errSilent
	m.during = func() {
		m.takes, m.err = time.Second, nil
		if _, err := ask(); err != nil {
			t.Error(err)
		}
		m.err = errSilent
	}
	if _, err := ask(); !errors.Is(err, errSilent) {
		t.Fatal(err)
	}
	if came, _ := ask(); !came {
		t.Error("it was left alone although it answers")
	}
}

func TestGivenUpQuestionIsNoSilence(t *testing.T) {
	m := &moody{clock: time.Unix(1e9, 0), takes: time.Hour, err: context.Canceled}
	r := newRestingModel(m, m.now)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		_, _ = r.Complete(ctx, chat.Request{}, nil)
	}
	if m.asked != 2 {
		t.Errorf("asked %d times", m.asked)
	}
}
