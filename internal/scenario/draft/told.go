package draft

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/scenario"
)

// told takes the goal, facts and language from the metadata that the client sent with the call.
func (w *writer) told(item *scenario.Item) {
	metadata := w.source.Call.Metadata
	if goal, ok := metadata["goal"].(string); ok && fits(goal, maxText) {
		item.Input.Goal = strings.TrimSpace(goal)
		if w.source.RedactNumbers {
			item.Input.Goal = withoutNumbers(strings.Join(strings.Fields(goal), " "))
		}
	}
	if facts, ok := metadata["facts"].(map[string]any); ok && !w.source.RedactNumbers {
		item.Input.Facts = factsOf(facts)
	}
	for _, key := range []string{"language", "lang", "locale"} {
		if tag, ok := metadata[key].(string); ok && item.Input.Language == "" {
			if tag = strings.ReplaceAll(strings.TrimSpace(tag), "_", "-"); scenario.ValidLanguage(tag) {
				item.Input.Language = tag
			}
		}
	}
	if item.Input.Language == "" && w.foreign() {
		w.notes = append(w.notes, "The caller probably did not speak English, and the language is not known. Set it before you run the scenario.")
	}
}

// factsOf returns the facts whose names can be used in a script.
func factsOf(facts map[string]any) map[string]string {
	out := map[string]string{}
	names := make([]string, 0, len(facts))
	for name := range facts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		value := ""
		switch v := facts[name].(type) {
		case string:
			value = v
		case json.Number:
			value = v.String()
		case bool:
			value = map[bool]string{true: "yes", false: "no"}[v]
		}
		ok := value != "" && fits(value, maxText) && !strings.ContainsAny(value, "{}") &&
			name != "" && name != "persona.name" && fits(name, 200) && !strings.ContainsAny(name, "{}\n\r\t")
		if ok && len(out) < maxFacts {
			out[name] = value
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// fits reports whether a text can be used as it is.
func fits(text string, most int) bool {
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= most &&
		!strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\n\r\t", r) })
}

// foreign reports whether a third of the letters of the caller's lines are not Latin.
func (w *writer) foreign() bool {
	letters, others := 0, 0
	for i := range w.steps {
		for _, r := range w.steps[i].Say {
			if unicode.IsLetter(r) {
				letters++
				if r > 0x24f {
					others++
				}
			}
		}
	}
	return others*3 > letters
}

func middleOf(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}
