package phrase

import "strings"

// near reports whether two words differ as little as a misheard ending: they
// share the first letter and three quarters of all letters.
func near(a, b string) bool {
	ra, rb := []rune(a), []rune(b)
	longest, shortest := max(len(ra), len(rb)), min(len(ra), len(rb))
	if longest < 4 || shortest*4 < longest*3 || ra[0] != rb[0] {
		return false
	}
	if shortest == 3 { // "fee" is near "fees" but not "free"
		return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
	}
	return Distance(ra, rb)*4 <= longest
}

// Distance returns the edit distance of two texts, in letters changed, added or
// dropped.
func Distance(a, b []rune) int {
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
