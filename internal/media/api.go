package media

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/livekit/livekit-server/pkg/routing"
	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	"github.com/twitchtv/twirp"

	"github.com/ringtrue/ringtrue/internal/problem"
)

const (
	// apiPatience bounds one request to the media server.
	apiPatience = 10 * time.Second
	// keyFor is the lifetime of the token made for one request.
	keyFor = time.Minute
	// openTries is how often creating a room is attempted when the server reports no capacity:
	// a server starved of CPU time considers itself unavailable for a few seconds.
	openTries = 4
	openPause = 700 * time.Millisecond
)

// api is the server's room service. It uses HTTP even if the server runs in this process, so
// that there is only one code path to test.
type api struct {
	rooms  livekit.RoomService
	client *http.Client
	keys   Keys
	// said is the name of the server in messages, hint says which flags to look at.
	said, hint string
}

func newAPI(address string, keys Keys, said, hint string) *api {
	client := &http.Client{Timeout: apiPatience, Transport: &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 4,
		IdleConnTimeout:     30 * time.Second,
	}}
	base := "http" + strings.TrimPrefix(address, "ws")
	return &api{
		rooms:  livekit.NewRoomServiceProtobufClient(base, client),
		client: client, keys: keys, said: said, hint: hint,
	}
}

func (a *api) close() { a.client.CloseIdleConnections() }

// may returns ctx with credentials for one request that grant no more than it needs.
func (a *api) may(ctx context.Context, grant *auth.VideoGrant) (context.Context, error) {
	token, err := auth.NewAccessToken(a.keys.Key, a.keys.Secret).SetVideoGrant(grant).SetValidFor(keyFor).ToJWT()
	if err != nil {
		return nil, err
	}
	return twirp.WithHTTPRequestHeaders(ctx, http.Header{"Authorization": {"Bearer " + token}})
}

func (a *api) create(ctx context.Context, request *livekit.CreateRoomRequest) error {
	ctx, err := a.may(ctx, &auth.VideoGrant{RoomCreate: true})
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		_, err := a.rooms.CreateRoom(ctx, request)
		if err == nil || try == openTries || !full(err) {
			return a.told(err)
		}
		if err := wait(ctx, openPause); err != nil {
			return err
		}
	}
}

// full reports whether err means that the server had no capacity.
func full(err error) bool {
	var said twirp.Error
	return errors.As(err, &said) && (said.Code() == twirp.Unavailable || said.Code() == twirp.ResourceExhausted ||
		strings.Contains(said.Msg(), "available nodes"))
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (a *api) remove(ctx context.Context, name string) error {
	ctx, err := a.may(ctx, &auth.VideoGrant{RoomCreate: true})
	if err != nil {
		return err
	}
	_, err = a.rooms.DeleteRoom(ctx, &livekit.DeleteRoomRequest{Room: name})
	if orphaned(err) {
		// Creating the room again gives it to a server that lives, which can then end it.
		if _, err = a.rooms.CreateRoom(ctx, &livekit.CreateRoomRequest{Name: name}); err == nil {
			_, err = a.rooms.DeleteRoom(ctx, &livekit.DeleteRoomRequest{Room: name})
		}
	}
	return a.told(err)
}

// orphaned reports whether err means that the room belongs to a server of the cluster that has died. The
// others keep such a room forever, and refuse to end it. Until one of them starts anew, they also keep
// asking the dead one.
func orphaned(err error) bool {
	var said twirp.Error
	return errors.As(err, &said) &&
		(strings.Contains(said.Msg(), routing.ErrNotFound.Error()) || strings.Contains(said.Msg(), noResponse))
}

// noResponse is what the server says when another one of the cluster has not taken a request in time.
const noResponse = "no response from servers"

// revokeNone keeps the tokens of a removed participant valid. Servers that support revocation would
// otherwise refuse anyone of the same identity for a minute, among them the caller of the next attempt.
const revokeNone = 1 // Unix time in seconds: tokens issued before it are revoked

// putOut removes a participant from a room. It is not an error if there is none of that identity.
func (a *api) putOut(ctx context.Context, room, identity string) error {
	ctx, err := a.may(ctx, &auth.VideoGrant{RoomAdmin: true, Room: room})
	if err != nil {
		return err
	}
	_, err = a.rooms.RemoveParticipant(ctx, &livekit.RoomParticipantIdentity{Room: room, Identity: identity, RevokeTokenTs: revokeNone})
	if err = a.told(err); problem.Is(err, problem.NotFound) {
		return nil
	}
	return err
}

func (a *api) tell(ctx context.Context, name, metadata string) error {
	ctx, err := a.may(ctx, &auth.VideoGrant{RoomAdmin: true, Room: name})
	if err != nil {
		return err
	}
	_, err = a.rooms.UpdateRoomMetadata(ctx, &livekit.UpdateRoomMetadataRequest{Room: name, Metadata: metadata})
	return a.told(err)
}

func (a *api) list(ctx context.Context, names ...string) ([]*livekit.Room, error) {
	ctx, err := a.may(ctx, &auth.VideoGrant{RoomList: true})
	if err != nil {
		return nil, err
	}
	answer, err := a.rooms.ListRooms(ctx, &livekit.ListRoomsRequest{Names: names})
	return answer.GetRooms(), a.told(err)
}

func (a *api) participants(ctx context.Context, room string) ([]*livekit.ParticipantInfo, error) {
	ctx, err := a.may(ctx, &auth.VideoGrant{RoomAdmin: true, Room: room})
	if err != nil {
		return nil, err
	}
	answer, err := a.rooms.ListParticipants(ctx, &livekit.ListParticipantsRequest{Room: room})
	return answer.GetParticipants(), a.told(err)
}

// check lists a room that cannot exist, which requires a valid key and costs the server nothing.
func (a *api) check(ctx context.Context) error {
	_, err := a.list(ctx, Prefix+"check")
	return err
}

// told converts an error of the server into a problem.Error. The server's own text may contain
// a whole token, so tokens are removed from it.
func (a *api) told(err error) error {
	if err == nil {
		return nil
	}
	cause := blackened{err, a.keys.Secret}
	var said twirp.Error
	var way *url.Error
	if _, untrusted := errors.AsType[*tls.CertificateVerificationError](err); untrusted {
		return problem.New(problem.Unavailable, "the %s has a certificate that this machine does not trust", a.said).WithHint("%s", trustHint).Because(cause)
	}
	if errors.As(err, &way) || !errors.As(err, &said) {
		return problem.New(problem.Unavailable, "the %s does not answer", a.said).WithHint("%s", a.hint).Because(cause)
	}
	switch said.Code() {
	case twirp.NotFound:
		return problem.New(problem.NotFound, "the %s has no such room", a.said).Because(cause)
	case twirp.Unauthenticated, twirp.PermissionDenied:
		hint := a.hint
		if untimely(said) {
			hint = "its clock and ours differ by more than a minute: set the one that is wrong"
		}
		return problem.New(problem.Unavailable, "the %s rejects our key", a.said).WithHint("%s", hint).Because(cause)
	case twirp.InvalidArgument:
		return problem.New(problem.InvalidFields, "the %s does not accept such a room", a.said).Because(cause)
	default:
		return problem.New(problem.Unavailable, "the %s could not do what was asked", a.said).WithHint("%s", a.hint).Because(cause)
	}
}

const trustHint = "the certificate must be valid for the name in --media-url and signed by an authority that this machine trusts: " +
	"the environment variable SSL_CERT_FILE can name a file with more authorities"

// untimely reports whether the server rejects a freshly made token only because of its time. It says so only of tokens
// signed with its own secret.
func untimely(said twirp.Error) bool {
	text := said.Msg() + said.Meta("body")
	return strings.Contains(text, "not valid yet") || strings.Contains(text, "is expired")
}
