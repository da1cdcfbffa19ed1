package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ringtrue/ringtrue/bench/peer"
	"github.com/ringtrue/ringtrue/internal/audio"
)

// segmentPeer is the running program bench/peers/webrtcvad.
type segmentPeer struct{ *peer.Program }

// startSegmentPeer builds and starts the peer; it needs a C compiler.
func startSegmentPeer(ctx context.Context) (*segmentPeer, error) {
	program, err := peer.Start(ctx, "webrtcvad", "CGO_ENABLED=1")
	if err != nil {
		return nil, err
	}
	p := &segmentPeer{program}
	if _, _, err := p.ask(0, 20, make([]int16, segmentRate)); err != nil {
		p.Stop()
		return nil, fmt.Errorf("it does not start (is there a C compiler?): %w", err)
	}
	return p, nil
}

// ask makes the peer process a channel, see bench/peers/webrtcvad.
func (p *segmentPeer) ask(mode, frameMS int, pcm []int16) ([]byte, time.Duration, error) {
	head := struct {
		Mode, FrameMS uint8
		Rate, Samples uint32
	}{uint8(mode), uint8(frameMS), segmentRate, uint32(len(pcm))}
	w := bufio.NewWriter(p.In)
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
	if err := binary.Read(p.Out, binary.LittleEndian, &answer); err != nil {
		return nil, 0, err
	}
	if int(answer.Frames) > len(pcm) {
		return nil, 0, errors.New("the peer answers out of turn")
	}
	marks := make([]byte, answer.Frames)
	_, err := io.ReadFull(p.Out, marks)
	return marks, time.Duration(answer.CPU), err
}

// detectors returns the peer's modes and frame lengths; only frames of 10 ms if quick.
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
