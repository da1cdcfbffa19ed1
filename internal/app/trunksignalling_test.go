package app

import (
	"strings"

	"github.com/ringtrue/ringtrue/internal/line/sip"
)

func refuse(code int, reason string, headers ...string) func(*farEndCall) {
	return func(c *farEndCall) { c.reply(c.invite, code, reason, "", headers...) }
}

// signallingCases are trunks that do something bad before there is any audio.
func signallingCases() []trunkCase {
	answerWith := func(sdp string) func(*farEndCall) {
		return func(c *farEndCall) { c.reply(c.invite, 200, "OK", sdp); c.untilOver() }
	}
	return []trunkCase{
		{name: "down", closed: true, refused: `trunk "down" does not answer at $HOST over udp`},
		{name: "down-tcp", closed: true, transport: sip.TCP, refused: `trunk "down-tcp" does not answer at $HOST over tcp`},
		{name: "deaf", mute: true, refused: `trunk "deaf" does not answer at $HOST over udp`},
		{name: "ignores-invites", script: func(*farEndCall) {}, status: "FAILED", code: "unreachable", blame: "line", detail: "no reply from the trunk", verdict: "void"},
		{name: "overloaded", script: refuse(503, "Service Unavailable", "Retry-After: 30"), status: "FAILED", code: "unreachable", blame: "line",
			detail: "503 Service Unavailable (try again after 30 s)", verdict: "void", reason: "says nothing about the agent"},
		{name: "broken", script: refuse(500, "Server Internal Error"), status: "FAILED", code: "unreachable", blame: "line", detail: "500 Server Internal Error", verdict: "void"},
		{name: "wants-password", script: refuse(401, "Unauthorized", `WWW-Authenticate: Digest realm="x", nonce="y"`), status: "FAILED", code: "unreachable", blame: "line",
			detail: "401 Unauthorized: the trunk does not accept user and password", verdict: "void"},
		{name: "moved", script: refuse(302, "Moved Temporarily"), status: "FAILED", code: "unreachable", blame: "line", verdict: "void",
			detail: "302 Moved Temporarily to sip:far@$HOST (redirects are not followed)"},
		{name: "busy", script: refuse(486, "Busy Here"), status: "FAILED", code: "busy", blame: "agent", detail: "486 Busy Here", verdict: "failed"},
		{name: "rings", script: func(c *farEndCall) { c.reply(c.invite, 180, "Ringing", ""); c.untilOver() }, status: "FAILED", code: "no_answer", blame: "agent",
			detail: "rang without an answer within 1.5 s", verdict: "failed"},
		{name: "no-description", script: answerWith(""), status: "FAILED", code: "codec_mismatch", blame: "line", detail: "there is no session description", verdict: "void", hangsUp: true},
		{name: "garbage-description", script: answerWith(strings.Repeat("m=audio x\r\n\x00", 50)), status: "FAILED", code: "codec_mismatch", blame: "line", detail: `the media line "audio x" is too short`, verdict: "void", hangsUp: true},
		{name: "other-codec", script: answerWith("v=0\r\no=f 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 18\r\n"),
			status: "FAILED", code: "codec_mismatch", blame: "line", detail: "the answer accepts none of the codecs offered", verdict: "void", hangsUp: true},
	}
}
