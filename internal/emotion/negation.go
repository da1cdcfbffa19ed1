package emotion

// reachOfNot is how many words after a "not" are negated: "not very happy at all".
const reachOfNot = 4

// denied tracks, for the words of a text in order, whether they are negated by a "not"
// before them. The zero value is at the start of a text.
type denied struct{ left int }

// next processes a token and reports whether it is negated.
func (d *denied) next(t *tokens, i int) bool {
	k := t.all[i]
	if !k.word {
		d.left = 0
		return false
	}
	if k.anew {
		d.left = 0
	}
	w := t.of(k)
	switch {
	case negates(w) && (i > 0 || string(w) != "no"): // "no, that's lovely" negates nothing
		d.left = reachOfNot
		if string(w) == "no" {
			d.left = 2
		}
		return false
	case turnsBack(w):
		d.left = 0
	}
	if d.left == 0 {
		return false
	}
	d.left--
	return len(w) > 2 && roleOf(w) == other
}

// negates reports whether a word negates those after it.
func negates(w []byte) bool {
	switch string(w) {
	case "not", "no", "never", "nothing", "nobody", "none", "without", "hardly", "barely", "cannot", "aint", "hadnt", "neither", "nor":
		return true
	}
	n := len(w)
	return n > 3 && w[n-2] == 'n' && w[n-1] == 't' && roleOf(w) == helper
}

// turnsBack reports whether a word begins a part of the sentence that an earlier "not" does
// not reach.
func turnsBack(w []byte) bool {
	switch string(w) {
	case "but", "because", "cause", "if", "so", "though", "although", "unless", "since", "until", "thanks", "thank", "sorry":
		return true
	}
	return false
}
