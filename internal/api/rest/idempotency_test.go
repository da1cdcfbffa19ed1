package rest_test

import (
	"context"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
)

// overtaken is the memory of a key that another request is using at the same moment:
// it is there once ours has failed.
type overtaken struct {
	used store.Remembered
	// made says that the other request has come through.
	made bool
	// digest is that of our request.
	digest string
}

func (o *overtaken) UseOfKey(context.Context, string, string, time.Time) (store.Remembered, bool, error) {
	return o.used, o.made, nil
}

func (o *overtaken) UnderKey(ctx context.Context, _, _, digest string) context.Context {
	o.digest = digest
	return ctx
}

// TestTheSameRequestTwiceAtOnce: the second finds the name taken that the first has just given away, or the call
// in the dataset that the first has put there. With the first's key it is answered as the first; with none of its
// own in the way it is told.
func TestTheSameRequestTwiceAtOnce(t *testing.T) {
	t.Parallel()
	for _, taken := range []*problem.Error{
		problem.New(problem.Conflict, "the name is taken"),
		problem.Invalid(problem.Field{Path: "call_ids[0]", Message: "is an item of this dataset already"}),
	} {
		ask := func(byUs, another bool) (string, error) {
			o := &overtaken{}
			made, err := rest.Once(t.Context(), &rest.Server{Options: rest.Options{Idempotency: o, Now: time.Now}}, rest.Creation{Key: "k", Operation: "make", From: "body"},
				func(context.Context) (*string, error) {
					if byUs {
						o.used, o.made = store.Remembered{Digest: o.digest, ID: "agt_1"}, true
					}
					if another {
						o.used, o.made = store.Remembered{Digest: "another", ID: "agt_2"}, true
					}
					return nil, taken
				},
				func(m store.Remembered) (*string, error) { return &m.ID, nil })
			if made == nil {
				return "", err
			}
			return *made, err
		}
		if made, err := ask(true, false); made != "agt_1" || err != nil {
			t.Errorf("%v, made by the same request: %q, %v", taken, made, err)
		}
		if _, err := ask(false, true); !problem.Is(err, problem.Conflict) || problem.As(err).Message == taken.Message {
			t.Errorf("%v, the key was used for another request: %v", taken, err)
		}
		if _, err := ask(false, false); err == nil || err.Error() != taken.Error() {
			t.Errorf("%v, by somebody else: %v", taken, err)
		}
	}
}
