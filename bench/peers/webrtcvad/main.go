// Command webrtcvad applies the WebRTC project's voice activity detector for the benchmarks that
// compare it with our own. It answers requests until its standard input ends; all numbers are
// little-endian.
//
// A request is mode (uint8, 0 to 3), frame length in ms (uint8, 10, 20 or 30), rate in Hz (uint32),
// number of samples (uint32) and the samples (int16). The answer is the number of whole frames
// (uint32), the processor time of the detection in ns (uint64) and one byte per frame, 1 for
// speech.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	webrtcvad "github.com/maxhawkins/go-webrtcvad"
)

func main() {
	if err := serve(bufio.NewReader(os.Stdin), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "webrtcvad:", err)
		os.Exit(1)
	}
}

type request struct {
	Mode, FrameMS uint8
	Rate, Samples uint32
}

type answer struct {
	Frames uint32
	CPU    uint64
}

// maxSamples bounds a request: six hours at 8 kHz.
const maxSamples = 6 * 3600 * 8000

func serve(in io.Reader, out io.Writer) error {
	for {
		var q request
		switch err := binary.Read(in, binary.LittleEndian, &q); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case q.Samples > maxSamples:
			return fmt.Errorf("%d samples in one request", q.Samples)
		}
		pcm := make([]byte, 2*q.Samples)
		if _, err := io.ReadFull(in, pcm); err != nil {
			return err
		}
		marks, took, err := judge(q, pcm)
		if err != nil {
			return err
		}
		if err := binary.Write(out, binary.LittleEndian, answer{uint32(len(marks)), uint64(took)}); err != nil {
			return err
		}
		if _, err := out.Write(marks); err != nil {
			return err
		}
	}
}

func judge(q request, pcm []byte) ([]byte, time.Duration, error) {
	vad, err := webrtcvad.New()
	if err != nil {
		return nil, 0, err
	}
	if err := vad.SetMode(int(q.Mode)); err != nil {
		return nil, 0, err
	}
	size := int(q.Rate) * int(q.FrameMS) / 1000 * 2
	if size == 0 {
		return nil, 0, errors.New("frames without samples")
	}
	marks := make([]byte, 0, len(pcm)/size)
	begun := used()
	for ; len(pcm) >= size; pcm = pcm[size:] {
		speech, err := vad.Process(int(q.Rate), pcm[:size])
		if err != nil {
			return nil, 0, err
		}
		mark := byte(0)
		if speech {
			mark = 1
		}
		marks = append(marks, mark)
	}
	return marks, used() - begun, nil
}

// used returns the processor time this process has taken.
func used() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
