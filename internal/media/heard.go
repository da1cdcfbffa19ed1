package media

import (
	"context"

	"github.com/livekit/protocol/livekit"
)

// LostBy is how many of our caller's packets somebody in a room has lost, by its own count (RTCP), which comes to the
// server and no further, and by which stay in the room: who comes again counts from nothing. It is false when that is not
// known, as in rooms of a server that runs elsewhere.
func (s *Server) LostBy(name, identity string) (lost int64, stay string, known bool) {
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
