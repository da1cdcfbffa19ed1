package sip

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/line/g711"
)

const plainSDP = "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0 8 101\r\na=rtpmap:101 telephone-event/8000\r\na=rtcp:4005 IN IP4 192.0.2.9\r\na=sendonly\r\n"

func TestParseSDP(t *testing.T) {
	t.Parallel()
	s, err := parseSDP([]byte(plainSDP))
	if err != nil {
		t.Fatal(err)
	}
	taken, ok := s.choose([]g711.Codec{g711.PCMA(), g711.PCMU()})
	if !ok || taken != (choice{codec: g711.PCMU(), event: 101}) {
		t.Errorf("chose %+v; the far end's order counts", taken)
	}
	if s.Addr != netip.MustParseAddr("192.0.2.1") || s.Port != 4000 || s.ControlPort != 4005 || s.ControlAddr != netip.MustParseAddr("192.0.2.9") {
		t.Errorf("addresses %+v", s)
	}
	if !s.held() {
		t.Error("sendonly means that we are on hold")
	}
}

// TestTheLongestPacketOfTheFarEnd is kept to; how long it would like them is not.
func TestTheLongestPacketOfTheFarEnd(t *testing.T) {
	t.Parallel()
	for lines, want := range map[string]uint8{
		"": 1, "a=ptime:10": 1, "a=ptime:60": 1, "a=maxptime:20": 1, "a=maxptime:150": 1, "a=maxptime:10": 2, "a=maxptime: 19 ": 2,
		"a=maxptime:7.5": 4, "a=maxptime:4": 5, "a=maxptime:2": 10, "a=maxptime:1": 20, "a=maxptime:0": 1, "a=maxptime:-3": 1,
		"a=maxptime:soon": 1, "a=maxptime:NaN": 1, "a=maxptime:1e300": 1, "a=maxptime:": 1, "m=video 4002 RTP/AVP 31\na=maxptime:5": 1,
	} {
		s, err := parseSDP([]byte("v=0\nc=IN IP4 127.0.0.1\nm=audio 4000 RTP/AVP 0\n" + lines + "\n"))
		if err != nil || s.pieces() != want {
			t.Errorf("%q: %d pieces, %v; want %d", lines, s.pieces(), err, want)
		}
	}
}

// TestCodecsUnderOtherNumbers: a codec of ours is known by its name, and keeps the number
// that the far end gives it; a number that is another codec's own is none.
func TestCodecsUnderOtherNumbers(t *testing.T) {
	t.Parallel()
	for media, want := range map[string]choice{
		"97 0\na=rtpmap:97 pcmu/8000/1":                                    {codec: g711.PCMU(), audio: 97},
		"98 101\na=rtpmap:98 PCMA/8000\na=rtpmap:101 telephone-event/8000": {codec: g711.PCMA(), audio: 98, event: 101},
		"0 97\na=rtpmap:97 PCMA/8000":                                      {codec: g711.PCMU()},
		"9 8\na=rtpmap:9 PCMU/8000":                                        {codec: g711.PCMA()},
		"97 8\na=rtpmap:97 PCMU/16000":                                     {codec: g711.PCMA()},
		"97 8\na=rtpmap:97 PCMU/8000/2":                                    {codec: g711.PCMA()},
	} {
		s, err := parseSDP([]byte("v=0\nc=IN IP4 192.0.2.1\nm=audio 4000 RTP/AVP " + media + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		got, ok := s.choose([]g711.Codec{g711.PCMU(), g711.PCMA()})
		if !ok || got != want {
			t.Errorf("%q: chose %+v, want %+v", media, got, want)
		}
	}
}

// TestHostsInPlaceOfAddresses are looked up; what is no name of a host is refused at once.
func TestHostsInPlaceOfAddresses(t *testing.T) {
	t.Parallel()
	e := &endpoint{ctx: t.Context(), find: net.DefaultResolver.LookupNetIP}
	for lines, want := range map[string]string{
		"c=IN IP4 localhost\nm=audio 4000 RTP/AVP 0":                       "127.0.0.1:4000",
		"m=audio 4000 RTP/AVP 0\nc=IN IP4 localhost":                       "127.0.0.1:4000",
		"c=IN IP4 no.such.invalid\nm=audio 4000 RTP/AVP 0\nc=IN IP4 ::1":   "[::1]:4000",
		"c=IN IP4 192.0.2.1\nm=audio 4000 RTP/AVP 0\nc=IN IP4 localhost":   "127.0.0.1:4000",
		"c=IN IP4 no.such.invalid\nm=audio 4000 RTP/AVP 0":                 `the host "no.such.invalid" of the connection address is not found`,
		"c=IN IP4 192.0.2.300\nm=audio 4000 RTP/AVP 0":                     `the connection address "192.0.2.300" is neither an IP address nor the name of a host`,
		"c=IN IP4 local host\nm=audio 4000 RTP/AVP 0":                      `the connection line "IN IP4 local host" is not understood`,
		"c=IN IP4 $(host)\nm=audio 4000 RTP/AVP 0\na=rtcp:9 IN IP4 ::1":    `the connection address "$(host)" is neither an IP address nor the name of a host`,
		"c=IN IP4 localhost\nm=audio 4000 RTP/AVP 0\na=rtcp:9 IN IP4 ::1 ": "127.0.0.1:4000",
	} {
		s, err := e.read([]byte("v=0\n" + lines + "\n"))
		got := netip.AddrPortFrom(s.Addr, s.Port).String()
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", lines, got, want)
		}
		if err == nil && !s.ControlAddr.IsValid() {
			t.Errorf("%q: there is no address for RTCP", lines)
		}
	}
}

// TestAudioThatIsNotSpokenHere is refused by the name of its profile.
func TestAudioThatIsNotSpokenHere(t *testing.T) {
	t.Parallel()
	for media, want := range map[string]string{
		"audio 4000 RTP/SAVP 0": `the session description has no audio over RTP/AVP, but over "RTP/SAVP", which is not spoken here`,
		"video 4000 RTP/AVP 96": "the session description has no audio over RTP/AVP",
	} {
		if _, err := parseSDP([]byte("v=0\nc=IN IP4 192.0.2.1\nm=" + media + "\n")); err == nil || err.Error() != want {
			t.Errorf("%s: %v", media, err)
		}
	}
}

func TestSDPWithSeveralMedia(t *testing.T) {
	t.Parallel()
	s, err := parseSDP([]byte("v=0\nc=IN IP4 192.0.2.1\nm=video 5000 RTP/AVP 96\nc=IN IP4 192.0.2.2\nm=audio 4000 RTP/AVP 8\nm=image 0 udptl t38\n"))
	if err != nil {
		t.Fatal(err)
	}
	if s.Addr != netip.MustParseAddr("192.0.2.1") || len(s.before) != 1 || len(s.after) != 1 {
		t.Errorf("%+v", s)
	}
	d := description{Addr: s.Addr, Port: 6000, Codecs: []g711.Codec{g711.PCMA()}, Direction: sendRecv, before: s.before, after: s.after}
	text := string(d.write())
	if video, audio := strings.Index(text, "m=video 0"), strings.Index(text, "m=audio 6000"); video < 0 || audio < video {
		t.Errorf("an answer refuses the other media in their places:\n%s", text)
	}
}

// TestAudioInThePlaceOfAudio: a media line keeps its place after it has ended.
func TestAudioInThePlaceOfAudio(t *testing.T) {
	t.Parallel()
	const text = "v=0\nc=IN IP4 192.0.2.1\na=sendonly \nm=audio 0 RTP/AVP 18 0\na=inactive\nm=image 0 udptl t38\nm=audio 4000 RTP/AVP 8\nm=audio 4002 RTP/AVP 0\n"
	s, err := parseSDP([]byte(text))
	if err != nil || s.Port != 4000 || s.Direction != sendOnly || len(s.Formats) != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	d := description{Addr: s.Addr, Port: 6000, Codecs: []g711.Codec{g711.PCMA()}, Direction: recvOnly, before: s.before, after: s.after}
	var media []string
	for line := range strings.Lines(string(d.write())) {
		if strings.HasPrefix(line, "m=") {
			media = append(media, strings.TrimSpace(line))
		}
	}
	if got := strings.Join(media, ";"); got != "m=audio 0 RTP/AVP 18;m=image 0 udptl t38;m=audio 6000 RTP/AVP 8;m=audio 0 RTP/AVP 0" {
		t.Errorf("the answer is %s", got)
	}
}

func FuzzSDP(f *testing.F) {
	for _, seed := range []string{
		plainSDP, "", "v=0", "m=audio 1 RTP/AVP 0", "c=IN IP6 ::1\nm=audio 65535 RTP/AVP 0 300",
		"c=IN IP4 1.2.3.4/127\nm=audio 70000 RTP/AVP 0", "c=IN IP4 x\n", "m=audio 1/2 RTP/AVP 0\na=rtpmap:0", "a=rtpmap:999 X/1\nm=",
		strings.Repeat("m=audio 1 RTP/AVP 0\r\n", 300),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := parseSDP(b)
		if err != nil || s.host != "" {
			return
		}
		taken, ok := s.choose([]g711.Codec{g711.PCMU(), g711.PCMA()})
		if !ok {
			return
		}
		d := description{Addr: s.Addr, Port: s.Port, Codecs: []g711.Codec{taken.codec}, AudioType: taken.audio, EventType: taken.event, Direction: s.Direction}
		again, err := parseSDP(d.write())
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if c, ok := again.choose([]g711.Codec{taken.codec}); !ok || c != taken || again.Port != s.Port {
			t.Fatalf("%+v came back as %+v", s, again)
		}
	})
}

func TestParseTrunk(t *testing.T) {
	t.Parallel()
	got, err := ParseTrunk("main=sip://bob:s%40cret@pbx.example.com:5070;transport=tcp?from=%2B15550001111&calls_per_second=2.5&concurrent_calls=0&codecs=PCMA")
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "main" || got.Host != "pbx.example.com:5070" || got.Transport != TCP || got.User != "bob" || got.Password != "s@cret" ||
		got.From != "+15550001111" || got.CallsPerSecond != 2.5 || got.ConcurrentCalls != 0 || len(got.Codecs) != 1 || got.Codecs[0] != g711.PCMA() {
		t.Errorf("%#v from %q %q", got, got.From, got.User)
	}
	for _, shown := range []string{got.String(), fmt.Sprintf("%v %+v %#v", got, got, got), got.LogValue().String()} {
		if strings.Contains(shown, "cret") {
			t.Errorf("the password shows in %q", shown)
		}
	}
	plain, err := ParseTrunk("a=sip://192.0.2.7?from=+1555")
	if err != nil || plain.Host != "192.0.2.7:5060" || plain.Transport != UDP || plain.From != "+1555" || plain.CallsPerSecond != 1 || plain.ConcurrentCalls != 10 {
		t.Errorf("%+v, %v", plain, err)
	}
	for text, names := range map[string]string{
		"": "name", "sip://host": "name", "a=http://host": "sip://", "a=sip://": "host", "a=sip://h:0": "port", "a=sip://h:99999": "port",
		"a=sip://h;transport=tls": "transport", "a=sip://h;x=1": "x", "a=sip://h?calls_per_second=-1": "calls_per_second",
		"a=sip://h?concurrent_calls=x": "concurrent_calls", "a=sip://h?codecs=G729": "codec", "a=sip://h?nope=1": "nope",
		"a=sip://u:secret%zz@h": "percent", "a=sip://u:secret?x@h": "%3F", "a=sip://u:1?secret@h;transport=tcp?from=%2B1": "%3F",
	} {
		_, err := ParseTrunk(text)
		if err == nil || !strings.Contains(err.Error(), names) {
			t.Errorf("%q: %v, want an error that names %s", text, err, names)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error repeats the password", text)
		}
	}
}

func FuzzParseTrunk(f *testing.F) {
	for _, seed := range []string{"a=sip://u:p@h:1;transport=tcp?from=%2B1", "a=sip://[::1]:5060", "=sip://", "a=sip://@@;;??&&"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		trunk, err := ParseTrunk(text)
		if err == nil && (trunk.Name == "" || trunk.Host == "" || trunk.Transport == "") {
			t.Fatalf("%q gave an incomplete trunk %v", text, trunk)
		}
	})
}
