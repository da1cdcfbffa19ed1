package catalog

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// said is an item that says one line.
func said(key, line string) scenario.Item {
	return scenario.Item{Key: key, Input: scenario.Input{Script: []scenario.Step{{Say: line}}}}
}

// lines is what each item of the version says.
func lines(t *testing.T, s *Service, dataset string, version int) (out []string) {
	t.Helper()
	page, _, _, err := s.Items(t.Context(), "ws_a", dataset, version, page.Max, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range page {
		out = append(out, i.Input.Script[0].Say)
	}
	return out
}

func TestOfManyKeysThatAreTakenTheFirstAreNamed(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	var many, same []scenario.Item
	for i := range 3 * maxKeysTold {
		many, same = append(many, said(fmt.Sprint("key", i), "one")), append(same, said("key", "one"))
	}
	d := must(s.CreateDataset(t.Context(), "ws_a", DatasetInput{Name: "Booking", Items: many}))(t)
	for _, items := range [][]scenario.Item{many, same} {
		_, _, err := s.AddItems(t.Context(), "ws_a", d.ID, items)
		if got := paths(t, err); len(got) != maxKeysTold {
			t.Errorf("%d keys are named, want %d", len(got), maxKeysTold)
		}
	}
}

func TestEveryChangeOfItemsIsAVersion(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	d := must(s.CreateDataset(t.Context(), "ws_a", DatasetInput{Name: "Booking", Items: []scenario.Item{said("a", "one"), said("b", "two")}}))(t)
	if d.Version != 1 || d.Items != 2 {
		t.Fatalf("%+v", d)
	}
	d, added, err := s.AddItems(t.Context(), "ws_a", d.ID, []scenario.Item{said("", "three")})
	if err != nil || d.Version != 2 || d.Items != 3 || len(added) != 1 || !strings.HasPrefix(added[0].ID, "di_") {
		t.Fatalf("%+v %+v %v", d, added, err)
	}
	first, _, _, err := s.Items(t.Context(), "ws_a", d.ID, 0, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	d, _, err = s.ReplaceItem(t.Context(), "ws_a", d.ID, first[0].ID, said("a", "uno"))
	if err != nil || d.Version != 3 || d.Items != 3 {
		t.Fatalf("%+v %v", d, err)
	}
	d, item, err := s.ReplaceItem(t.Context(), "ws_a", d.ID, first[0].ID, said("a", "uno"))
	if err != nil || d.Version != 3 || item.ID != first[0].ID || item.Input.Script[0].Say != "uno" {
		t.Fatalf("replaced by what it is: %+v %+v %v", d, item, err)
	}
	d = must(s.DeleteItem(t.Context(), "ws_a", d.ID, added[0].ID))(t)
	if d.Version != 4 || d.Items != 2 {
		t.Fatalf("%+v", d)
	}
	d = must(s.UpdateDataset(t.Context(), "ws_a", d.ID, DatasetPatch{Description: new("of appointments")}))(t)
	if d.Version != 4 || d.Name != "Booking" || d.Description != "of appointments" {
		t.Fatalf("a new description made a version: %+v", d)
	}
	for version, want := range map[int][]string{
		1: {"one", "two"}, 2: {"one", "two", "three"}, 3: {"uno", "two", "three"}, 4: {"uno", "two"}, 0: {"uno", "two"},
	} {
		if got := lines(t, s, d.ID, version); !reflect.DeepEqual(got, want) {
			t.Errorf("version %d: %v", version, got)
		}
	}
	if _, err := s.Item(t.Context(), "ws_a", d.ID, added[0].ID, 0); !problem.Is(err, problem.NotFound) {
		t.Errorf("a deleted item: %v", err)
	}
	if got := must(s.Item(t.Context(), "ws_a", d.ID, added[0].ID, 3))(t); got.Input.Script[0].Say != "three" {
		t.Errorf("%+v", got)
	}
	versions := must(s.Versions(t.Context(), "ws_a", d.ID))(t)
	var counts []int
	for _, v := range versions {
		counts = append(counts, v.Items)
	}
	if !reflect.DeepEqual(counts, []int{2, 3, 3, 2}) || versions[0].Version != 4 {
		t.Errorf("%+v", versions)
	}
}

func TestTheSameFileAgainIsNoNewVersion(t *testing.T) {
	t.Parallel()
	const file = "- key: a\n  input: {goal: ask, facts: {n: 1, price: 2.50}}\n  metadata: {big: 1.50, list: [x, 3]}\n- input: {script: [{say: zwei}]}\n- id: mine\n  input: {script: [{say: drei}]}\n"
	s, _ := setup(t)
	made := must(s.CreateDataset(t.Context(), "ws_a", DatasetInput{Name: "x"}))(t)
	place := func(text string, want int) {
		t.Helper()
		d, n, err := s.Import(t.Context(), "ws_a", made.ID, scenario.YAML, []byte(text), Replace)
		if err != nil || d.Version != want || n != d.Items {
			t.Errorf("version %d of %d items, want %d: %v", d.Version, d.Items, want, err)
		}
	}
	first := made.Version + 1
	place(file, first)
	before, _, _, err := s.Items(t.Context(), "ws_a", made.ID, 0, 10, "")
	if err != nil {
		t.Fatal(err)
	}
	place(file, first)
	place(file+"# a remark changes nothing\n", first)
	after, _, _, err := s.Items(t.Context(), "ws_a", made.ID, 0, 10, "")
	if err != nil || !reflect.DeepEqual(before, after) {
		t.Errorf("the items were changed: %+v, then %+v %v", before, after, err)
	}
	place(strings.Replace(file, "zwei", "zwo", 1), first+1)
	place(strings.Replace(file, "price: 2.50", "price: 2.51", 1), first+2)
	place(file+"- input: {script: [{say: vier}]}\n", first+3)
	place(file, first+4)
	place(strings.Replace(file, "id: mine", "id: di_of_another_dataset", 1), first+5)
	place(strings.Replace(file, "id: mine", "id: di_of_another_dataset", 1), first+5)
}

func TestImportAppendsAndReplaces(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	d := must(s.CreateDataset(t.Context(), "ws_a", DatasetInput{Name: "x"}))(t)
	line := func(key, say string) string {
		return fmt.Sprintf(`{"key":%q,"input":{"script":[{"say":%q}]}}`+"\n", key, say)
	}
	d, n, err := s.Import(t.Context(), "ws_a", d.ID, scenario.JSONL, []byte(line("a", "one")+line("b", "two")), Append)
	if err != nil || n != 2 || d.Items != 2 || d.Version != 2 {
		t.Fatalf("%+v %d %v", d, n, err)
	}
	before, _, _, err := s.Items(t.Context(), "ws_a", d.ID, 0, 10, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err = s.Import(t.Context(), "ws_a", d.ID, scenario.JSONL, []byte(line("c", "x")+line("b", "again")), Append); !reflect.DeepEqual(paths(t, err), []string{"items[1].key"}) {
		t.Errorf("a key that is there: %v", err)
	}
	d, n, err = s.Import(t.Context(), "ws_a", d.ID, scenario.YAML, []byte("- key: b\n  input: {script: [{say: zwei}]}\n- input: {script: [{say: drei}]}\n"), Replace)
	if err != nil || n != 2 || d.Items != 2 || d.Version != 3 {
		t.Fatalf("%+v %d %v", d, n, err)
	}
	after, of, _, err := s.Items(t.Context(), "ws_a", d.ID, 0, 10, "")
	if err != nil || of != 3 || after[0].ID != before[1].ID || after[0].Input.Script[0].Say != "zwei" {
		t.Fatalf("an item lost its id: %+v, %v", after, err)
	}
	if after[1].ID == before[0].ID {
		t.Error("an item took the id of one that is gone")
	}
	if got := lines(t, s, d.ID, 2); !reflect.DeepEqual(got, []string{"one", "two"}) {
		t.Errorf("an old version changed: %v", got)
	}
}

// An item that is named by its id stays itself under another key, although a new one, which stands
// before it, has its old key now.
func TestAnIdCountsMoreThanAKey(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	d := must(s.CreateDataset(t.Context(), "ws_a", DatasetInput{Name: "x", Items: []scenario.Item{said("a", "one")}}))(t)
	before, _, _, err := s.Items(t.Context(), "ws_a", d.ID, 0, 10, "")
	if err != nil {
		t.Fatal(err)
	}
	file := fmt.Sprintf("- key: a\n  input: {script: [{say: two}]}\n- id: %s\n  key: b\n  input: {script: [{say: one}]}\n", before[0].ID)
	if _, _, err := s.Import(t.Context(), "ws_a", d.ID, scenario.YAML, []byte(file), Replace); err != nil {
		t.Fatal(err)
	}
	after, _, _, err := s.Items(t.Context(), "ws_a", d.ID, 0, 10, "")
	if err != nil || after[1].ID != before[0].ID || after[0].ID == before[0].ID {
		t.Errorf("%+v, %v", after, err)
	}
}

func TestIdsOfTheClientBecomeKeys(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	item := said("", "hello")
	item.ID = "task-17"
	foreign := said("", "there")
	foreign.ID = "di_of_another_dataset"
	d := must(s.CreateDataset(t.Context(), "ws_a", DatasetInput{Name: "x", Items: []scenario.Item{item, foreign}}))(t)
	page, _, _, err := s.Items(t.Context(), "ws_a", d.ID, 0, 10, "")
	if err != nil || page[0].Key != "task-17" || !strings.HasPrefix(page[0].ID, "di_") || page[1].ID == foreign.ID || page[1].Key != "" {
		t.Fatalf("%+v %v", page, err)
	}
	_, err = s.CreateDataset(t.Context(), "ws_a", DatasetInput{Name: "x", Items: []scenario.Item{item, said("task-17", "x")}})
	if got := paths(t, err); !reflect.DeepEqual(got, []string{"items[1].key"}) {
		t.Errorf("%v", got)
	}
}

func TestDatasetRefusals(t *testing.T) {
	t.Parallel()
	s, f := setup(t)
	_, err := s.CreateDataset(t.Context(), "ws_a", DatasetInput{Items: []scenario.Item{said("k", "fine"), {}}})
	if got := paths(t, err); !reflect.DeepEqual(got, []string{"name", "items[1].input"}) {
		t.Errorf("%v", got)
	}
	if len(f.datasets)+len(f.items) != 0 {
		t.Error("a refused dataset was stored")
	}
	d := must(s.CreateDataset(t.Context(), "ws_a", DatasetInput{Name: "x", Items: []scenario.Item{said("a", "1"), said("b", "2")}}))(t)
	if _, _, err := s.AddItems(t.Context(), "ws_a", d.ID, nil); !reflect.DeepEqual(paths(t, err), []string{"items"}) {
		t.Error(err)
	}
	if _, _, err := s.AddItems(t.Context(), "ws_a", d.ID, []scenario.Item{said("a", "3")}); !reflect.DeepEqual(paths(t, err), []string{"items[0].key"}) {
		t.Error(err)
	}
	b := must(s.Item(t.Context(), "ws_a", d.ID, f.items[1].item.ID, 0))(t)
	if _, _, err := s.ReplaceItem(t.Context(), "ws_a", d.ID, b.ID, said("a", "x")); !reflect.DeepEqual(paths(t, err), []string{"key"}) {
		t.Errorf("the key of a neighbour: %v", err)
	}
	if _, _, err := s.ReplaceItem(t.Context(), "ws_a", d.ID, b.ID, scenario.Item{ID: "di_other", Input: b.Input}); !reflect.DeepEqual(paths(t, err), []string{"id"}) {
		t.Error(err)
	}
	if _, _, err := s.Import(t.Context(), "ws_a", d.ID, scenario.JSON, []byte("[]"), "merge"); !reflect.DeepEqual(paths(t, err), []string{"mode"}) {
		t.Error(err)
	}
	for name, err := range map[string]error{
		"read":    second(s.Dataset(t.Context(), "ws_b", d.ID)),
		"change":  second(s.UpdateDataset(t.Context(), "ws_b", d.ID, DatasetPatch{Name: new("y")})),
		"drop":    second(s.DeleteItem(t.Context(), "ws_b", d.ID, b.ID)),
		"item":    second(s.Item(t.Context(), "ws_b", d.ID, b.ID, 0)),
		"delete":  s.DeleteDataset(t.Context(), "ws_b", d.ID),
		"history": second(s.Versions(t.Context(), "ws_b", d.ID)),
		"version": second(s.Item(t.Context(), "ws_a", d.ID, b.ID, 9)),
	} {
		if !problem.Is(err, problem.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if d := must(s.Dataset(t.Context(), "ws_a", d.ID))(t); d.Version != 1 || len(f.versions[d.ID]) != 1 {
		t.Errorf("a refusal made a version: %+v", d)
	}
}

func second[T any](_ T, err error) error { return err }

func TestDatasetIsFull(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	items := make([]scenario.Item, scenario.MaxItems)
	for i := range items {
		items[i] = said("", "x")
	}
	d := must(s.CreateDataset(t.Context(), "ws_a", DatasetInput{Name: "x", Items: items}))(t)
	if _, _, err := s.AddItems(t.Context(), "ws_a", d.ID, items[:1]); !reflect.DeepEqual(paths(t, err), []string{"items"}) {
		t.Error(err)
	}
	if _, err := s.CreateDataset(t.Context(), "ws_a", DatasetInput{Name: "y", Items: append(items, items[0])}); !reflect.DeepEqual(paths(t, err), []string{"items"}) {
		t.Error(err)
	}
}
