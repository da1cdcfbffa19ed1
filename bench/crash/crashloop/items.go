package crashloop

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// itemTables are the datasets with all their versions.
type itemTables struct {
	datasets map[string]version
	// versions and states are by dataset.
	versions map[string][]version
	states   map[string][]itemState
	bodies   map[string]bool // the payloads that exist
}

// version is one version of a dataset: its number and how many items it has.
type version struct{ number, items int }

// itemState is a content of an item. It is part of the versions from one up to, but not including,
// another, which is 0 if it is still current.
type itemState struct {
	item, payload string
	from, until   int
}

func newItemTables() *itemTables {
	return &itemTables{
		datasets: map[string]version{}, versions: map[string][]version{}, states: map[string][]itemState{}, bodies: map[string]bool{},
	}
}

func (t *itemTables) queries() map[string]rowReader {
	return map[string]rowReader{
		`SELECT id, version, items FROM datasets`: func(scan func(...any) error) error {
			var id string
			var v version
			err := scan(&id, &v.number, &v.items)
			t.datasets[id] = v
			return err
		},
		`SELECT dataset_id, version, items FROM dataset_versions ORDER BY dataset_id, version`: func(scan func(...any) error) error {
			var id string
			var v version
			err := scan(&id, &v.number, &v.items)
			t.versions[id] = append(t.versions[id], v)
			return err
		},
		`SELECT dataset_id, item_id, payload, from_version, until_version FROM dataset_items`: func(scan func(...any) error) error {
			var id string
			var s itemState
			err := scan(&id, &s.item, &s.payload, &s.from, &s.until)
			t.states[id] = append(t.states[id], s)
			return err
		},
		`SELECT owner FROM payloads WHERE kind = 'item'`: func(scan func(...any) error) error {
			var owner string
			err := scan(&owner)
			t.bodies[owner] = true
			return err
		},
	}
}

// wrong returns contradictions: a missing version, a wrong number of items, an item twice in one
// version, or a missing content.
func (t *itemTables) wrong() []string {
	var out []string
	for _, id := range slices.Sorted(maps.Keys(t.datasets)) {
		d, versions := t.datasets[id], t.versions[id]
		if n := len(versions); n == 0 || versions[n-1] != d {
			out = append(out, fmt.Sprintf("dataset %s is at version %d with %d items, its versions are %v", id, d.number, d.items, versions))
		}
		for i, v := range versions {
			if n := inVersion(t.states[id], v.number); v.number != i+1 || v.items != n {
				out = append(out, fmt.Sprintf("version %d of dataset %s has the number %d and %d items of %d", i+1, id, v.number, n, v.items))
			}
		}
		out = append(out, overlaps(id, t.states[id])...)
		for _, s := range t.states[id] {
			if !t.bodies[s.payload] {
				out = append(out, fmt.Sprintf("item %s of dataset %s has lost its content", s.item, id))
			}
		}
	}
	return out
}

func inVersion(states []itemState, number int) int {
	n := 0
	for _, s := range states {
		if s.from <= number && (s.until == 0 || number < s.until) {
			n++
		}
	}
	return n
}

// overlaps returns the items that have two contents at the same time.
func overlaps(dataset string, states []itemState) []string {
	var out []string
	slices.SortFunc(states, func(a, b itemState) int { return cmp.Or(cmp.Compare(a.item, b.item), cmp.Compare(a.from, b.from)) })
	for i := 1; i < len(states); i++ {
		if a, b := states[i-1], states[i]; a.item == b.item && (a.until == 0 || a.until > b.from) {
			out = append(out, fmt.Sprintf("item %s of dataset %s has two contents at version %d", a.item, dataset, b.from))
		}
	}
	return out
}
