package api

// nearest is the word of the list that was probably meant, "" when none is near.
func nearest(word string, known []string) string {
	best, distance := "", len(word)/3+1
	if len(word) > 64 {
		return ""
	}
	for _, k := range known {
		if d := editDistance(word, k); d <= distance && d < len(k) && (best == "" || d < editDistance(word, best)) {
			best = k
		}
	}
	return best
}

// editDistance counts the bytes to insert, delete or replace to make b of a.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			above := row[j]
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above+1, row[j-1]+1, diagonal+cost)
			diagonal = above
		}
	}
	return row[len(b)]
}
