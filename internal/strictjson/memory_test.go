package strictjson_test

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// long returns texts with more values than are allocated at first, and than are kept.
func long() []string {
	var out []string
	for _, n := range []int{3, 40, 1500, 5000} {
		elements := make([]string, n)
		for i := range elements {
			number := strconv.Itoa(i)
			elements[i] = `{"n":` + number + `,"text":"no. ` + number + `","escaped":"\"` + number + `","list":[` + number + `,null]}`
		}
		out = append(out, "["+strings.Join(elements, ",")+"]")
	}
	return out
}

// TestAMemoryForOneTextAfterTheOther checks that a used Memory reads the same as a new one.
func TestAMemoryForOneTextAfterTheOther(t *testing.T) {
	t.Parallel()
	var m strictjson.Memory
	all := append(append(long(), texts()...), long()...)
	for _, text := range all {
		want, refused := strictjson.Decode([]byte(text), 20)
		got, err := m.Decode([]byte(text), 20)
		if !reflect.DeepEqual(strictjson.Plain(got), strictjson.Plain(want)) || !reflect.DeepEqual(err, refused) {
			t.Fatalf("%.80q: got %.80v, %v, want %.80v, %v", text, strictjson.Plain(got), err, strictjson.Plain(want), refused)
		}
		m.Forget()
	}
}

// TestTextsBesideEachOther checks that texts stay as they were read until they are forgotten, even
// beside longer ones.
func TestTextsBesideEachOther(t *testing.T) {
	t.Parallel()
	var m strictjson.Memory
	var values []any
	for _, text := range long() {
		value, err := m.Decode([]byte(text), 20)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
	for i, text := range long() {
		if written, err := json.Marshal(strictjson.Plain(values[i])); err != nil || !sameJSON(t, string(written), text) {
			t.Errorf("%d is %.80s, %v, want %.80s", i, written, err, text)
		}
	}
}

func sameJSON(t *testing.T, one, other string) bool {
	t.Helper()
	var a, b any
	if json.Unmarshal([]byte(one), &a) != nil || json.Unmarshal([]byte(other), &b) != nil {
		t.Fatal("this is no JSON")
	}
	return reflect.DeepEqual(a, b)
}

// TestWhatIsForgottenIsEmpty checks that nothing of a text stays in the memory, and that results of
// Plain are not affected.
func TestWhatIsForgottenIsEmpty(t *testing.T) {
	t.Parallel()
	var m strictjson.Memory
	value, fault := m.Decode([]byte(`{"a":"b","c":[1,"d",{"e":"f"}]}`), 20)
	if fault != nil {
		t.Fatal(fault)
	}
	object, ok := value.(*strictjson.Object)
	if !ok {
		t.Fatalf("read as %T, want an Object", value)
	}
	plain, text := strictjson.Plain(value), object.Get("a")
	list, _ := object.Get("c").([]any)
	m.Forget()
	if left, _ := strictjson.Text(text); object.Len() != 0 || left != "" || list[0] != nil || list[2] != nil {
		t.Errorf("%v, %q and %v are left", object.Map(), left, list)
	}
	if written, err := json.Marshal(plain); err != nil || string(written) != `{"a":"b","c":[1,"d",{"e":"f"}]}` {
		t.Errorf("what was kept is %s, %v", written, err)
	}
}
