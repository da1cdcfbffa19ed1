package problem

import "strings"

// Nearest returns the known word that was probably meant, for the suggestion of a Field, or "" if
// none is similar. Hyphens count as underscores, and case is ignored. Up to a third of the letters
// of the longer word may be wrong; failing that, a word with the same beginning is accepted.
func Nearest(word string, known []string) string {
	word = strings.ToLower(strings.ReplaceAll(word, "-", "_"))
	if word == "" || len(word) > 64 {
		return ""
	}
	best, least := "", len(word)
	for _, k := range known {
		wrong := max(1, max(len(word), len(k))/3)
		if d := distance(word, strings.ToLower(k)); d <= wrong && d < least {
			best, least = k, d
		}
	}
	if best != "" || len(word) < 3 {
		return best
	}
	for _, k := range known {
		if low := strings.ToLower(k); strings.HasPrefix(low, word) || strings.HasPrefix(word, low+"_") {
			return k
		}
	}
	return ""
}

// distance returns the minimum number of bytes to insert, delete, replace or swap with their
// neighbour to turn a into b.
func distance(a, b string) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
