package crashloop

import (
	"context"

	"github.com/ringtrue/ringtrue/client"
)

// catalogWrite creates a prompt or a scorer.
func (w *world) catalogWrite(marker string, n int) *entry {
	switch n {
	case 0:
		return w.promptWrite(marker)
	case 1:
		return w.scorerWrite(marker, "say")
	}
	return w.scorerWrite(marker, "do_not_say")
}

// promptWrite creates a prompt, and scorerWrite a scorer, whose slug is the marker: created twice,
// it would have a second version. No agent says the marker, so every call fails a scorer of kind
// say and passes one of kind do_not_say.
func (w *world) promptWrite(marker string) *entry {
	e := &entry{kind: kindPrompt, marker: marker, key: true, repeat: true}
	e.do = func(ctx context.Context) (string, error) {
		p, err := w.api.CreatePrompt(ctx, client.NewPrompt{Slug: marker, Text: "You are " + marker + "."}, keyed(e)...)
		return p.ID, err
	}
	return e
}

func (w *world) scorerWrite(marker, kind string) *entry {
	e := &entry{kind: kindScorer, marker: marker, key: true, repeat: true}
	e.do = func(ctx context.Context) (string, error) {
		s, err := w.api.CreateScorer(ctx, client.NewScorer{
			Slug: marker, Kind: kind, Params: map[string]any{"phrase": marker},
		}, keyed(e)...)
		return s.ID, err
	}
	return e
}

// askForVersion looks for a prompt or a scorer, which must have one version.
func (w *world) askForVersion(ctx context.Context, e *entry) {
	var id string
	var version int
	var err error
	if e.kind == kindPrompt {
		var p client.Prompt
		p, err = w.api.Prompt(ctx, e.marker, "")
		id, version = p.ID, p.Version
	} else {
		var s client.Scorer
		s, err = w.api.Scorer(ctx, e.marker, "")
		id, version = s.ID, s.Version
	}
	switch {
	case err == nil && version > 1:
		w.figures.Doubled += version - 1
		w.finding("%s %s has %d versions", e.kind, e.marker, version)
	case err != nil || id != e.id:
		w.lost(e, "%s, %v", id, err)
	}
}
