package score

// WordErrors counts what differs between the words that were said and those
// that were understood, after the normaliser.
type WordErrors struct {
	Substitutions, Deletions, Insertions int
	// Reference is the number of words that were said.
	Reference int
}

// Rate is the word error rate, which may exceed 1; 0 when nothing was said and
// nothing understood.
func (w WordErrors) Rate() float64 {
	wrong := w.Substitutions + w.Deletions + w.Insertions
	if w.Reference == 0 {
		return float64(wrong)
	}
	return float64(wrong) / float64(w.Reference)
}

// CompareWords aligns what was understood with what was said by the least
// number of edits. Both are cut to their first 2000 words.
func CompareWords(said, understood string) WordErrors {
	ref, hyp := texts(Normalise(said)), texts(Normalise(understood))
	rows := editTable(ref, hyp)
	out := WordErrors{Reference: len(ref)}
	for i, j := len(ref), len(hyp); i > 0 || j > 0; {
		switch {
		case i > 0 && j > 0 && ref[i-1] == hyp[j-1] && rows[i][j] == rows[i-1][j-1]:
			i, j = i-1, j-1
		case i > 0 && j > 0 && rows[i][j] == rows[i-1][j-1]+1:
			out.Substitutions++
			i, j = i-1, j-1
		case i > 0 && rows[i][j] == rows[i-1][j]+1:
			out.Deletions++
			i--
		default:
			out.Insertions++
			j--
		}
	}
	return out
}

func editTable(ref, hyp []string) [][]int {
	rows := make([][]int, len(ref)+1)
	for i := range rows {
		rows[i] = make([]int, len(hyp)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(ref); i++ {
		for j := 1; j <= len(hyp); j++ {
			cost := 1
			if ref[i-1] == hyp[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j-1]+cost, rows[i-1][j]+1, rows[i][j-1]+1)
		}
	}
	return rows
}

// EntityAccuracy is the share of the facts (names, codes, amounts, dates) that
// occur in what was understood, each after the normaliser and exactly. It
// returns how many of how many.
func EntityAccuracy(facts []string, understood string) (right, all int) {
	heard := Normalise(understood)
	for _, f := range facts {
		want := Normalise(f)
		if len(want) == 0 {
			continue
		}
		all++
		if m := findPassage(want, heard, exact); m.found {
			right++
		}
	}
	return right, all
}

func texts(tokens []Token) []string {
	const most = 2000
	if len(tokens) > most {
		tokens = tokens[:most]
	}
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = t.String()
	}
	return out
}

// letterDistance is the number of letters to change, add or drop.
func letterDistance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
