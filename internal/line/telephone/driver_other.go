//go:build !linux

package telephone

func newDriver(m *Media) driver { return newPortable(m) }
