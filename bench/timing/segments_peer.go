package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// segmentPeer is the program bench/peers/webrtcvad at work.
type segmentPeer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// startSegmentPeer builds and starts the peer; it needs a C compiler.
func startSegmentPeer(ctx context.Context) (*segmentPeer, error) {
	dir, err := peersDir()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "run", "-C", dir, "./webrtcvad")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &segmentPeer{cmd, in, bufio.NewReader(out)}
	if _, _, err := p.ask(0, 20, make([]int16, segmentRate)); err != nil {
		p.stop()
		return nil, fmt.Errorf("it does not start (is there a C compiler?): %w", err)
	}
	return p, nil
}

// peersDir finds bench/peers from wherever in the project the command runs.
func peersDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		peers := filepath.Join(dir, "bench", "peers")
		if _, err := os.Stat(filepath.Join(peers, "go.mod")); err == nil {
			return peers, nil
		}
		if filepath.Dir(dir) == dir {
			return "", errors.New("run it inside the project: bench/peers is not found")
		}
		dir = filepath.Dir(dir)
	}
}

func (p *segmentPeer) stop() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}

// ask lets the peer judge a channel, see bench/peers/webrtcvad.
func (p *segmentPeer) ask(mode, frameMS int, pcm []int16) ([]byte, time.Duration, error) {
	head := struct {
		Mode, FrameMS uint8
		Rate, Samples uint32
	}{uint8(mode), uint8(frameMS), segmentRate, uint32(len(pcm))}
	w := bufio.NewWriter(p.in)
	if err := binary.Write(w, binary.LittleEndian, head); err != nil {
		return nil, 0, err
	}
	if err := binary.Write(w, binary.LittleEndian, pcm); err != nil {
		return nil, 0, err
	}
	if err := w.Flush(); err != nil {
		return nil, 0, err
	}
	var answer struct {
		Frames uint32
		CPU    uint64
	}
	if err := binary.Read(p.out, binary.LittleEndian, &answer); err != nil {
		return nil, 0, err
	}
	if int(answer.Frames) > len(pcm) {
		return nil, 0, errors.New("the peer answers out of turn")
	}
	marks := make([]byte, answer.Frames)
	_, err := io.ReadFull(p.out, marks)
	return marks, time.Duration(answer.CPU), err
}

// detectors are the peer's modes and frame lengths; only frames of 10 ms when quick.
func (p *segmentPeer) detectors(quick bool) []segmentDetector {
	var all []segmentDetector
	for mode := range 4 {
		for _, ms := range []int{10, 20, 30} {
			if quick && ms != 10 {
				continue
			}
			all = append(all, segmentDetector{fmt.Sprintf("webrtc %d, %d ms", mode, ms),
				func(pcm []int16) ([]audio.Span, time.Duration, error) {
					marks, cpu, err := p.ask(mode, ms, pcm)
					return framesToSpans(marks, segmentRate*ms/1000), cpu, err
				}})
		}
	}
	return all
}
