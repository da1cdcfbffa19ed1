package trend

import (
	"slices"
	"strings"
)

// written reports whether a word is an e-mail or web address: the latter begins with "https://" or
// "www.", or has one of the commonest top-level domains.
func written(w string) bool {
	if strings.Contains(w, "@") || strings.Contains(w, "://") || strings.Contains(w, "www.") {
		return true
	}
	host, _, _ := strings.Cut(w, "/")
	dot := strings.LastIndexByte(host, '.')
	return dot > 0 && domain(host[dot+1:])
}

// domain reports whether a word is a common top-level domain.
func domain(w string) bool {
	switch w {
	case "com", "net", "org", "edu", "gov", "io", "co", "info", "biz", "app", "dev", "ai", "uk", "ca", "au", "nz", "ie", "de", "fr", "nl", "eu", "ch":
		return true
	}
	return false
}

// lessSpoken replaces addresses that are spelled out by "@": "john dot doe at gmail dot com", "www
// dot example dot com".
func lessSpoken(words []string) []string {
	for i := 1; i+1 < len(words); i++ {
		if words[i] != "dot" || !domain(words[i+1]) {
			continue
		}
		from, end := host(words, i), i+2
		for end+1 < len(words) && (words[end] == "dot" || words[end] == "slash") {
			end += 2
		}
		words = slices.Replace(words, from, end, "@")
		i = from
	}
	return words
}

// host returns where the address begins whose last "dot" is at index dot.
func host(words []string, dot int) int {
	from := dot - 1
	for from > 1 && joins(words[from-1]) {
		from -= 2
	}
	if from < 2 || words[from-1] != "at" {
		return from
	}
	return mailbox(words, from-2)
}

// mailbox returns where the name before "at" begins whose last word is at index from. It includes
// words joined by "dot" and the like, and words next to numbers and spelled letters.
func mailbox(words []string, from int) int {
	for from > 0 {
		switch {
		case joins(words[from-1]) && from > 1:
			from -= 2
		case stopword(words[from-1]) || words[from-1] == "@":
			return from
		case !isWord(words[from]) || !isWord(words[from-1]):
			from--
		default:
			return from
		}
	}
	return from
}

// joins reports whether a word joins the parts of an address.
func joins(w string) bool {
	return w == "dot" || w == "underscore" || w == "dash" || w == "hyphen" || w == "slash"
}
