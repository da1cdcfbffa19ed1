//go:build !linux

package speech

import "os"

// pipeBlocks returns how many blocks a pipe holds at most here.
func pipeBlocks(*os.File) int { return 65536 / blockBytes }
