package media

import (
	"context"

	"github.com/livekit/protocol/livekit"
)

// LostBy returns how many of our caller's packets a participant has lost, by its own RTCP reports, which end at the
// server. It returns false if that is unknown, as for rooms of an external server.
func (s *Server) LostBy(name, identity string) (int64, bool) {
	if s.inside == nil {
		return 0, "", false
	}
	room := s.inside.server.RoomManager().GetRoom(context.Background(), livekit.RoomName(name))
	if room == nil {
		return 0, "", false
	}
	p := room.GetParticipant(livekit.ParticipantIdentity(identity))
	if p == nil {
		return 0, "", false
	}
	for _, t := range p.GetSubscribedTracks() {
		if track := t.DownTrack(); track != nil && t.PublisherIdentity() == CallerIdentity {
			lost, known = lost+int64(track.GetTrackStats().GetPacketsLost()), true
		}
	}
	return lost, string(p.ID()), known
}
