//go:build !linux

package sqlite

import lib "modernc.org/sqlite/lib"

// dataSynced are the system's methods: only Linux is known to have another sync.
func dataSynced(system *lib.Tsqlite3_io_methods) *lib.Tsqlite3_io_methods { return system }
