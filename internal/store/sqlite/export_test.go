package sqlite

// Unnumbered is for the tests.
func Unnumbered(text string, args int) string { return unnumbered(text, args) }

// MaxStatements is for the tests.
const MaxStatements = maxStatements
