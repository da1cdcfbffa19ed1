package mediatest

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/media"
)

// claimsOf decodes a token without its secret, as anybody can.
func claimsOf(t *testing.T, token string) map[string]any {
	t.Helper()
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		t.Fatal("the token has not three parts")
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	claims := map[string]any{}
	if err := json.Unmarshal(text, &claims); err != nil {
		t.Fatal(err)
	}
	return claims
}

// forged changes the claims of a token and keeps its signature.
func forged(t *testing.T, token string, change map[string]any) string {
	t.Helper()
	claims := claimsOf(t, token)
	maps.Copy(claims, change)
	text, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(token, ".")
	return parts[0] + "." + base64.RawURLEncoding.EncodeToString(text) + "." + parts[2]
}

// signed changes the claims of a token and signs it as the server would.
func signed(t *testing.T, keys media.Keys, token string, change map[string]any) string {
	t.Helper()
	text := forged(t, token, change)
	text = text[:strings.LastIndex(text, ".")]
	mac := hmac.New(sha256.New, []byte(keys.Secret))
	mac.Write([]byte(text))
	return text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// noRights tries, through the server's own API, what an agent must not be able to do.
func noRights(t *testing.T, s Server) {
	room := open(t, s, media.Room{})
	agent, err := s.AgentToken(room, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	caller, err := s.CallerToken(room, media.CallerIdentity, "att_1")
	if err != nil {
		t.Fatal(err)
	}
	wants := []string{"canPublish", "canPublishData", "canPublishSources", "canSubscribe", "room", "roomJoin"}
	for who, token := range map[string]string{"agent": agent, "caller": caller} {
		var has []string
		for right := range grantsOf(t, token) {
			has = append(has, right)
		}
		if slices.Sort(has); !slices.Equal(has, wants) {
			t.Errorf("the %s's token grants %v", who, has)
		}
		if kind := claimsOf(t, token)["kind"]; kind != nil && kind != "standard" {
			t.Errorf("the %s is a participant of kind %v", who, kind)
		}
		for method, body := range map[string]string{
			"RoomService/CreateRoom":              `{"name":"` + room + `-more"}`,
			"RoomService/ListRooms":               `{}`,
			"RoomService/DeleteRoom":              `{"room":"` + room + `"}`,
			"RoomService/ListParticipants":        `{"room":"` + room + `"}`,
			"RoomService/RemoveParticipant":       `{"room":"` + room + `","identity":"agent"}`,
			"RoomService/UpdateRoomMetadata":      `{"room":"` + room + `","metadata":"{}"}`,
			"RoomService/SendData":                `{"room":"` + room + `","data":"aGk="}`,
			"AgentDispatchService/CreateDispatch": `{"room":"` + room + `","agent_name":"x"}`,
			"Egress/StartRoomCompositeEgress":     `{"room_name":"` + room + `"}`,
			"SIP/CreateSIPParticipant":            `{"room_name":"` + room + `","sip_trunk_id":"x","sip_call_to":"1"}`,
			"Ingress/CreateIngress":               `{"room_name":"` + room + `"}`,
			"RoomService/MoveParticipant":         `{"room":"` + room + `","identity":"agent","destination_room":"x"}`,
			"RoomService/UpdateParticipant":       `{"room":"` + room + `","identity":"agent","metadata":"x"}`,
			"RoomService/MutePublishedTrack":      `{"room":"` + room + `","identity":"agent","track_sid":"x"}`,
		} {
			if status, said := call(t, s, method, token, body); status < 401 || status > 403 {
				t.Errorf("the %s's token may %s: %d %s", who, method, status, said)
			}
		}
	}
	if _, ok := state(t, s, room); !ok {
		t.Error("the room is gone")
	}
}

// call calls the server's own API with a token.
func call(t *testing.T, s Server, method, token, body string) (int, string) {
	t.Helper()
	address := "http" + strings.TrimPrefix(s.Address(), "ws") + "/twirp/livekit." + method
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(said)
}
