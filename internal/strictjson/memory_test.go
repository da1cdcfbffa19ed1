package strictjson_test

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// long are texts with more of everything than there is room for at first, and than is kept.
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

// What was read into a memory that was used before is what is read into a new one.
func TestAMemoryForOneTextAfterTheOther(t *testing.T) {
	t.Parallel()
	var m strictjson.Memory
	all := append(append(long(), texts()...), long()...)
	for _, text := range all {
		want, refused := strictjson.Decode([]byte(text), 20)
		got, err := m.Decode([]byte(text), 20)
		if !reflect.DeepEqual(strictjson.Plain(got), strictjson.Plain(want)) || !reflect.DeepEqual(err, refused) {
			t.Fatalf("%.80q: got %.80v, %v", text, strictjson.Plain(got), err)
		}
		m.Forget()
	}
}

// Until it is forgotten a text stays as it was read, also beside others that are longer.
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
			t.Errorf("%d is %.80s, %v", i, written, err)
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

// Nothing of a text stays in the memory, and what Plain gave is nobody else's.
func TestWhatIsForgottenIsEmpty(t *testing.T) {
	t.Parallel()
	var m strictjson.Memory
	value, fault := m.Decode([]byte(`{"a":"b","c":[1,"d",{"e":"f"}]}`), 20)
	if fault != nil {
		t.Fatal(fault)
	}
	object, ok := value.(*strictjson.Object)
	if !ok {
		t.Fatalf("%T", value)
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
