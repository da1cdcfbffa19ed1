package speech

import (
	"os"

	"golang.org/x/sys/unix"
)

// pipeBlocks shrinks a pipe to its smallest size and returns how many blocks it holds.
func pipeBlocks(f *os.File) int {
	blocks := 65536 / blockBytes
	raw, err := f.SyscallConn()
	if err != nil {
		return blocks
	}
	_ = raw.Control(func(fd uintptr) {
		if size, err := unix.FcntlInt(fd, unix.F_SETPIPE_SZ, blockBytes); err == nil {
			blocks = (size + blockBytes - 1) / blockBytes
		}
	})
	return blocks
}
