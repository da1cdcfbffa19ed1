package sqlite

// Unnumbered is for the tests.
func Unnumbered(text string, args int) string { return unnumbered(text, args) }

// MaxStatements is for the tests.
const MaxStatements = maxStatements

// Unusable is for the tests.
func Unusable(path string, err error) error { return unusable(path, err) }
