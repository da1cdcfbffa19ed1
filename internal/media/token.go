package media

import (
	"errors"
	"strings"
	"time"

	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
)

// CallerIdentity is the prefix of the identity of our own caller in a room. Participants with
// it are not counted by [Server.Rooms].
const CallerIdentity = "ringtrue-caller"

// agentIdentity is the identity in every agent token. It is always the same, so that an agent
// that joins again replaces its previous connection instead of speaking beside it.
const agentIdentity = "agent"

// callerFor is how long our own caller may take to join. Once it has joined, the server renews its token.
const callerFor = 30 * time.Minute

// AgentToken returns a token that lets an agent join one room for the given time, and nothing else:
// it may publish a microphone, listen and exchange data. The server accepts it for a minute longer.
func (s *Server) AgentToken(name string, validFor time.Duration) (string, error) {
	return s.token(name, agentIdentity, validFor, nil)
}

// attemptAttribute is the participant attribute that holds the attempt of a caller. The callers
// of all attempts at a call share one identity, because agents follow an identity.
const attemptAttribute = "ringtrue.attempt"

// CallerToken returns a token that lets our own caller join a room for one attempt at the call,
// under an identity that begins with [CallerIdentity]. It joins as an ordinary participant,
// because agents ignore other kinds.
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
