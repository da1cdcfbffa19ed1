package crashloop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/client"
)

// itemsWrite changes the items of a dataset: it adds items to the shelf or removes them, and
// replaces items of the shelf and of datasets that are run.
func (w *world) itemsWrite(random *rand.Rand, marker string) *entry {
	onShelf := w.journal.of(kindItem, true)
	n := random.IntN(20)
	switch {
	case n < 7:
		return w.importWrite(marker, 1+random.IntN(3))
	case n < 12 || len(onShelf) == 0:
		return w.itemWrite(marker)
	case n < 15:
		item := onShelf[random.IntN(len(onShelf))]
		return w.deleteWrite(marker, item.subject, item.id)
	case n < 17:
		item := onShelf[random.IntN(len(onShelf))]
		return w.replaceWrite(random, marker, item.subject, item.id)
	}
	datasets := w.journal.of(kindDataset, true)
	d := datasets[random.IntN(len(datasets))]
	ids := w.idsOf(d.id)
	if len(ids) == 0 {
		return nil // the service is dead at the moment
	}
	return w.replaceWrite(random, marker, d.id, ids[random.IntN(len(ids))])
}

// idsOf returns the items of a dataset that is run, none if the service does not answer.
func (w *world) idsOf(dataset string) []string {
	ctx, cancel := context.WithTimeout(context.Background(), answerPatience)
	defer cancel()
	page, err := w.api.Items(ctx, dataset, 0, client.PageOptions{})
	if err != nil {
		return nil
	}
	ids := make([]string, len(page.Data))
	for i, item := range page.Data {
		ids[i] = item.ID
	}
	return ids
}

// importWrite adds items to the first dataset, which no experiment runs.
func (w *world) importWrite(marker string, n int) *entry {
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, `{"key": "%s-%d", "input": {"script": ["hang_up"]}}`+"\n", marker, i)
	}
	e := &entry{kind: kindImport, marker: marker, subject: w.journal.of(kindShelf, true)[0].id, size: n, key: true, repeat: true}
	e.do = func(ctx context.Context) (string, error) {
		in, err := w.api.ImportItems(ctx, e.subject, client.Import{Format: "jsonl", Data: []byte(lines.String())}, keyed(e)...)
		if err == nil && in.Imported != n {
			err = fmt.Errorf("%d items were imported of %d", in.Imported, n)
		}
		return in.Dataset.ID, err
	}
	return e
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

// replaceWrite gives an item a new content with the marker in it.
func (w *world) replaceWrite(random *rand.Rand, marker, dataset, item string) *entry {
	content := client.Item{Key: marker, Input: script(random)}
	return &entry{kind: kindReplace, marker: marker, dataset: dataset, subject: item, repeat: true, do: func(ctx context.Context) (string, error) {
		i, err := w.api.ReplaceItem(ctx, dataset, item, content)
		return i.ID, err
	}}
}

// deleteWrite removes an item from the shelf. If the answer to the first attempt was lost, the
// second may find nothing left to delete; so may one of two writers that chose the same item.
func (w *world) deleteWrite(marker, dataset, item string) *entry {
	e := &entry{kind: kindDelete, marker: marker, dataset: dataset, subject: item, repeat: true}
	e.do = func(ctx context.Context) (string, error) {
		err := w.api.DeleteItem(ctx, dataset, item)
		var refused *client.Error
		if errors.As(err, &refused) && refused.Status == http.StatusNotFound && (e.tried > 1 || w.journal.deletions(item) > 1) {
			err = nil
		}
		return item, err
	}
	return e
}

// askForItem looks for an item that was added: it must be gone if it was deleted, otherwise have
// the latest content.
func (w *world) askForItem(ctx context.Context, e *entry) {
	i, err := w.api.Item(ctx, e.subject, e.id)
	var refused *client.Error
	switch {
	case w.journal.deletions(e.id) > 0:
		if !errors.As(err, &refused) || refused.Status != http.StatusNotFound {
			w.lost(e, "it was deleted and is there again: %q, %v", i.Key, err)
		}
	case err != nil:
		w.lost(e, "%v", err)
	default:
		w.askForContent(i, e.marker)
	}
}

// askForReplaced looks for the latest content of an item of a dataset that is run.
func (w *world) askForReplaced(ctx context.Context, e *entry) {
	if w.journal.deletions(e.subject) > 0 {
		return
	}
	i, err := w.api.Item(ctx, e.dataset, e.subject)
	if err != nil {
		w.lost(e, "%v", err)
		return
	}
	w.askForContent(i, "")
}

// askForContent checks that an item is one of those that it may be after all its replacements;
// first is its key before them.
func (w *world) askForContent(i client.Item, first string) {
	var of []*entry
	for _, e := range w.journal.of(kindReplace, false) {
		if e.subject == i.ID {
			of = append(of, e)
		}
	}
	may := lastOf(of)
	if slices.ContainsFunc(may, func(e *entry) bool { return e.marker == i.Key }) {
		return
	}
	if acknowledged := slices.ContainsFunc(of, func(e *entry) bool { return e.acknowledged }); acknowledged || i.Key != first {
		w.figures.Lost++
		w.finding("item %s is %q after %d replacements", i.ID, i.Key, len(of))
	}
}

// shelved returns how many items the shelf must have.
func (w *world) shelved() int {
	n, gone := 0, map[string]bool{}
	for _, e := range w.journal.all() {
		switch {
		case !e.acknowledged:
		case e.kind == kindImport || e.kind == kindItem:
			n += e.size
		case e.kind == kindDelete:
			gone[e.subject] = true
		}
	}
	return n - len(gone)
}

// askForShelf checks that every import and item of the shelf exists once.
func (w *world) askForShelf(ctx context.Context) {
	shelf, n := w.journal.of(kindShelf, true)[0], w.shelved()
	d, err := w.api.Dataset(ctx, shelf.id)
	switch {
	case err != nil || d.ItemCount < n:
		w.lost(shelf, "it has %d items of %d (%v)", d.ItemCount, n, err)
	case d.ItemCount > n:
		w.figures.Doubled++
		w.finding("the dataset of the imports has %d items; %d should be left", d.ItemCount, n)
	}
}
