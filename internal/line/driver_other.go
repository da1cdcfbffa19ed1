//go:build !linux

package line

func newDriver(m *Media) driver { return newPortable(m) }
