package strictjson_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// TestObject checks that an object with any number of fields behaves like a map, however it was
// made.
func TestObject(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2, 15, 16, 17, 18, 300} {
		want := map[string]any{}
		for i := range n {
			want["field "+strconv.Itoa(i)] = []any{json.Number(strconv.Itoa(i)), map[string]any{"<": nil}}
		}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		read, fault := strictjson.Decode(text, 4)
		if fault != nil {
			t.Fatal(fault)
		}
		one, ok := read.(*strictjson.Object)
		if !ok {
			t.Fatalf("read as %T, want an Object", read)
		}
		put := strictjson.ObjectOf(want)
		for name := range want {
			put.Put(name, put.Get(name))
		}
		for _, o := range []*strictjson.Object{one, put} {
			compareObject(t, o, want)
			if written, err := json.Marshal(o); err != nil || string(written) != string(text) {
				t.Errorf("written as %s, %v, want %s", written, err, text)
			}
		}
	}
}

func compareObject(t *testing.T, o *strictjson.Object, want map[string]any) {
	t.Helper()
	all := map[string]any{}
	for name, value := range o.All() {
		all[name] = strictjson.Plain(value)
		if !reflect.DeepEqual(strictjson.Plain(o.Get(name)), want[name]) {
			t.Errorf("%s is %v, want %v", name, o.Get(name), want[name])
		}
	}
	if !reflect.DeepEqual(all, want) || !reflect.DeepEqual(o.Map(), want) || o.Len() != len(want) || o.Get("another") != nil {
		t.Errorf("%v, want %v", all, want)
	}
	if names := slices.Sorted(maps.Keys(want)); !slices.Equal(o.Names(), names) {
		t.Errorf("%v, want %v", o.Names(), names)
	}
}

// TestNamesThatStandTwice checks that a repeated name is found among few fields and among many.
func TestNamesThatStandTwice(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 15, 16, 17, 100} {
		names := []string{`{"again":0`}
		for i := range n - 1 {
			names = append(names, `"`+strconv.Itoa(i)+`":0`)
		}
		text := strings.Join(names, ",")
		if _, fault := strictjson.Decode([]byte(text+`}`), 1); fault != nil {
			t.Error(fault)
		}
		if _, fault := strictjson.Decode([]byte(text+`,"again":0}`), 1); fault == nil {
			t.Errorf("one of %d fields may stand twice", n+1)
		}
	}
}
