package room

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// speak sends a frame. A missed frame is not sent, but its timestamps are skipped.
func (s *stream) speak(now int64, missed bool) {
	if missed {
		// Silence that is not sent is silence all the same.
		if audible(s.said[:]) {
			s.result.stats.SendMissed++
		} else {
			s.tape.Write(s.own, s.next*frameSamples, s.said[:])
		}
		s.packet.Marker = true
		return
	}
	s.tape.Write(s.own, s.next*frameSamples, s.said[:])
	n, err := s.codec.Encode(s.payload[:], s.said[:])
	if err != nil || n == 0 {
		s.result.stats.SendMissed++
		return
	}
	s.packet.Timestamp = s.stamp0 + uint32(s.next)*(opusClock/50)
	s.packet.Payload = s.payload[:n]
	if !s.track.IsBound() {
		s.unbound++
	}
	if !s.lose() && !s.out.Missing {
		_ = s.track.WriteRTP(&s.packet, nil) // a packet that the network does not accept is lost
	}
	s.packet.SequenceNumber++
	s.packet.Marker = false
	s.result.stats.Sent++
	behind := now - (s.zero + s.next*frameNS)
	if behind > lateNS {
		s.result.stats.SendLate++
	}
	s.result.stats.SendLateMax = max(s.result.stats.SendLateMax, time.Duration(behind))
}

// audible reports whether a frame holds anything that could be heard.
func audible(pcm []int16) bool {
	const faint = 32 // about -60 dBFS
	for _, v := range pcm {
		if v > faint || v < -faint {
			return true
		}
	}
	return false
}

func (s *stream) pressKeys() {
	keys := make([]byte, 0, len(s.out.Digits))
	for i := range len(s.out.Digits) {
		if _, ok := rtp.KeyCode(s.out.Digits[i]); ok {
			keys = append(keys, s.out.Digits[i])
			s.mark(call.KindDigitSent, "", map[string]any{"digit": s.out.Digits[i : i+1]})
		}
	}
	if s.pressed != nil && len(keys) > 0 {
		s.pressed(string(keys))
	}
}

// flush sends what the codec still holds of the last words, since it delays audio a little.
func (s *stream) flush() {
	var none [frameSamples]int16
	n, err := s.codec.Encode(s.payload[:], none[:])
	if err != nil || n == 0 {
		return
	}
	s.packet.Timestamp, s.packet.Payload = s.stamp0+uint32(s.next)*(opusClock/50), s.payload[:n]
	_ = s.track.WriteRTP(&s.packet, nil) // as for every packet
}
