package speech

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// wishes are the fields that requests hold beyond what they must. Servers and
// models that are alike otherwise refuse one or the other of them: a
// temperature, a seed, a bound on the answer under its older name, an answer in
// pieces, the times of words. A refusal says which; without those an answer can
// be had all the same, and once one was, they are asked for no more.
type wishes struct {
	names []string

	mu      sync.Mutex
	refused map[string]bool
}

// ask sends what fields gives for what was refused so far, and again without each
// further field that a refusal names. When that does not help, the error is the first one.
func (w *wishes) ask(fields func(refused map[string]bool) map[string]any, send func(map[string]any) error) error {
	refused := w.known()
	var first error
	for {
		asked := fields(refused)
		err := send(asked)
		var no *refusal
		if !errors.As(err, &no) {
			if err == nil {
				w.learn(refused)
			}
			return err
		}
		if first == nil {
			first = err
		}
		if !w.drop(refused, asked, no) {
			return first
		}
	}
}

func (w *wishes) known() map[string]bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	known := make(map[string]bool, len(w.refused))
	maps.Copy(known, w.refused)
	return known
}

func (w *wishes) learn(refused map[string]bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.refused == nil {
		w.refused = make(map[string]bool, len(refused))
	}
	maps.Copy(w.refused, refused)
}

// drop adds to what was refused the fields that were asked for and that a refusal names, and says
// whether there are any. Each is dropped once, so asking comes to an end.
func (w *wishes) drop(refused map[string]bool, asked map[string]any, no *refusal) (found bool) {
	for _, name := range w.names {
		if _, was := asked[name]; was && !refused[name] && no.names(name) {
			refused[name], found = true, true
		}
	}
	return found
}

// refusal is an answer that says that the request itself is not right.
type refusal struct {
	err   error
	field string // the one field that it is about, where that is told
	text  string // else all that it says
}

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// names reports whether it is about a field: the one that is told, else each whose
// name occurs in what it says.
func (r *refusal) names(field string) bool {
	field = strings.TrimSuffix(field, "[]")
	if r.field != "" {
		told, _, _ := strings.Cut(r.field, ".")
		return strings.TrimSuffix(told, "[]") == field
	}
	return slices.Contains(strings.FieldsFunc(r.text, betweenNames), field)
}

// betweenNames says that a rune cannot be part of a field's name.
func betweenNames(r rune) bool {
	return r != '_' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
}
