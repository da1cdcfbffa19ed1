package rest

import "github.com/danielgtaylor/huma/v2"

// The HTTP library takes a field's name in any case, because encoding/json does.
// Then of "name" and "NAME" in one object the first is checked and the last is
// taken: what no check has seen would reach the services, and two programs would
// read one body differently. So a name counts as it is written. The library has
// no other place for this than a variable of its own, which nobody changes later.
func init() { //nolint:gochecknoinits // it must be set before any server is made, and servers are made side by side
	huma.ValidateStrictCasing = true
}
