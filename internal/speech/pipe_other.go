//go:build !linux

package speech

import "os"

// pipeBlocks returns the maximum number of blocks that a pipe holds, as its size cannot be set here.
func pipeBlocks(*os.File) int { return 65536 / blockBytes }
