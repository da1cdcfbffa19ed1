package phrase

// Strict reports whether a word is a fact in itself, such as a day or a month, or reverses
// the meaning.
func Strict(w string) bool {
	switch w {
	case "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
		"sat", "sun", "today", "tomorrow", "yesterday", "tonight", "morning", "afternoon", "evening", "noon", "midnight":
		return true
	}
	return w == minus || negation(w) || monthOf(Token{Text: w}) > 0 && len(w) > 3
}

func negation(w string) bool {
	switch w {
	case "not", "no", "never", "nothing", "nobody", "without", "neither", "nor":
		return true
	}
	return false
}

// Light reports whether a word carries little meaning; missing it costs half.
func Light(w string) bool {
	switch w {
	case "a", "an", "the", "is", "are", "am", "was", "be", "to", "of", "at", "in", "on", "for", "and",
		"it", "that", "this", "so", "well", "now", "just", "already", "also", "celsius", "fahrenheit", "um", "uh", "your", "you", "i", "we", "will", "would", "do", "have", "has":
		return true
	}
	return false
}
