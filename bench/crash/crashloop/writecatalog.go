package crashloop

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/ringtrue/ringtrue/client"
)

// catalogWrite is one of the small writes: an item for the dataset of the
// imports, a prompt or a scorer.
func (w *world) catalogWrite(marker string, n int) *entry {
	switch n {
	case 0:
		return w.itemWrite(marker)
	case 1:
		return w.promptWrite(marker)
	}
	return w.scorerWrite(marker)
}

func (w *world) itemWrite(marker string) *entry {
	e := &entry{kind: kindItem, marker: marker, subject: w.journal.of(kindShelf, true)[0].id, size: 1, key: true, repeat: true}
	e.do = func(ctx context.Context) (string, error) {
		item := client.Item{Key: marker, Input: json.RawMessage(`{"script": ["hang_up"]}`)}
		added, err := w.api.AddItems(ctx, e.subject, []client.Item{item}, keyed(e)...)
		if err == nil && len(added.Items) != 1 {
			err = errors.New("not one item was added")
		}
		if err != nil {
			return "", err
		}
		return added.Items[0].ID, nil
	}
	return e
}

// promptWrite makes a prompt, and scorerWrite a scorer, whose slug is the
// marker: made twice it would have a second version.
func (w *world) promptWrite(marker string) *entry {
	e := &entry{kind: kindPrompt, marker: marker, key: true, repeat: true}
	e.do = func(ctx context.Context) (string, error) {
		p, err := w.api.CreatePrompt(ctx, client.NewPrompt{Slug: marker, Text: "You are " + marker + "."}, keyed(e)...)
		return p.ID, err
	}
	return e
}

func (w *world) scorerWrite(marker string) *entry {
	e := &entry{kind: kindScorer, marker: marker, key: true, repeat: true}
	e.do = func(ctx context.Context) (string, error) {
		s, err := w.api.CreateScorer(ctx, client.NewScorer{
			Slug: marker, Kind: "say", Params: map[string]any{"phrase": marker},
		}, keyed(e)...)
		return s.ID, err
	}
	return e
}

func (w *world) askForItem(ctx context.Context, e *entry) {
	i, err := w.api.Item(ctx, e.subject, e.id)
	if err != nil || i.Key != e.marker {
		w.lost(e, "%q, %v", i.Key, err)
	}
}

// askForVersion looks for a prompt or a scorer, of which there is one version.
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
