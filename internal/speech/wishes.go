package speech

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// wishes are the optional fields of requests. Otherwise similar servers and models reject one
// or the other of them: a temperature, a seed, a limit of the answer under its older name,
// streaming, word times. The rejection says which; a request without the field can succeed, and
// after that the field is not sent any more.
type wishes struct {
	names []string

	mu      sync.Mutex
	refused map[string]bool
}

// ask calls send with the fields that were not refused so far, and again without each field
// that a refusal names. If that does not help, it returns the first error.
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

// drop adds the fields that were sent and that a refusal names to refused, and reports whether
// there are any. Each can be dropped only once, so the loop ends.
func (w *wishes) drop(refused map[string]bool, asked map[string]any, no *refusal) (found bool) {
	for _, name := range w.names {
		if _, was := asked[name]; was && !refused[name] && no.names(name) {
			refused[name], found = true, true
		}
	}
	return found
}

// refusal is a response that says that the request itself is invalid.
type refusal struct {
	err   error
	field string // the field it is about, if it says so
	text  string // otherwise the whole message
}

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// names reports whether the refusal is about a field: the one it states, or else any whose name
// occurs in its message.
func (r *refusal) names(field string) bool {
	field = strings.TrimSuffix(field, "[]")
	if r.field != "" {
		told, _, _ := strings.Cut(r.field, ".")
		return strings.TrimSuffix(told, "[]") == field
	}
	return slices.Contains(strings.FieldsFunc(r.text, betweenNames), field)
}

// betweenNames reports whether a rune cannot be part of a field name.
func betweenNames(r rune) bool {
	return r != '_' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
}
