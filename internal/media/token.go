package media

import (
	"errors"
	"strings"
	"time"

	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
)

// CallerIdentity begins the identity of our own caller in a room. Who is called
// so does not count as a participant in [Server.Rooms].
const CallerIdentity = "ringtrue-caller"

// agentIdentity is who joins with an agent's token. It is one and the same, so
// that an agent that comes again takes the place of the one that was there
// instead of speaking beside it.
const agentIdentity = "agent"

// callerFor is how long our own caller may take to join. Once it is in, the
// server renews its token by itself.
const callerFor = 30 * time.Minute

// AgentToken returns what lets an agent into one room for the given time, and
// nothing else: join, publish a microphone, listen, exchange data. The server
// grants a minute more than was asked.
func (s *Server) AgentToken(name string, validFor time.Duration) (string, error) {
	return s.token(name, agentIdentity, validFor, nil)
}

// attemptAttribute is what in a caller's attributes says which attempt at its call it is
// the caller of: all of them bear one name, which agents stay with.
const attemptAttribute = "ringtrue.attempt"

// CallerToken returns what lets our own caller into a room under an identity
// that begins with [CallerIdentity], for one attempt at the call. It joins as an
// ordinary participant, because agents do not talk to other kinds.
func (s *Server) CallerToken(name, identity, attempt string) (string, error) {
	if !strings.HasPrefix(identity, CallerIdentity) {
		return "", errors.New("a caller's identity must begin with " + CallerIdentity)
	}
	return s.token(name, identity, callerFor, map[string]string{attemptAttribute: attempt})
}

func (s *Server) token(room, identity string, validFor time.Duration, attributes map[string]string) (string, error) {
	if room == "" || validFor <= 0 {
		return "", errors.New("a token needs a room and a time")
	}
	yes := true
	return auth.NewAccessToken(s.keys.Key, s.keys.Secret).
		SetIdentity(identity).
		SetKind(livekit.ParticipantInfo_STANDARD).
		SetAttributes(attributes).
		SetValidFor(validFor).
		SetVideoGrant(&auth.VideoGrant{
			RoomJoin:          true,
			Room:              room,
			CanPublish:        &yes,
			CanSubscribe:      &yes,
			CanPublishData:    &yes,
			CanPublishSources: []string{"microphone"},
		}).ToJWT()
}
