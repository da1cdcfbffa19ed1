package sdp

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/line/g711"
)

const plainSDP = "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0 8 101\r\na=rtpmap:101 telephone-event/8000\r\na=rtcp:4005 IN IP4 192.0.2.9\r\na=sendonly\r\n"

func TestParse(t *testing.T) {
	t.Parallel()
	s, err := Parse([]byte(plainSDP))
	if err != nil {
		t.Fatal(err)
	}
	taken, ok := s.Choose([]g711.Codec{g711.PCMA(), g711.PCMU()})
	if !ok || taken != (Choice{Codec: g711.PCMU(), Event: 101}) {
		t.Errorf("chose %+v, want PCMU with the event type 101; the far end's order counts", taken)
	}
	if s.Addr != netip.MustParseAddr("192.0.2.1") || s.Port != 4000 || s.ControlPort != 4005 || s.ControlAddr != netip.MustParseAddr("192.0.2.9") {
		t.Errorf("addresses %+v, want 192.0.2.1:4000 and reports to 192.0.2.9:4005", s)
	}
	if !s.Held() {
		t.Error("sendonly means that we are on hold")
	}
}

// TestTheLongestPacketOfTheFarEnd checks that the far end's maximum packet time is obeyed, but not
// its preferred one.
func TestTheLongestPacketOfTheFarEnd(t *testing.T) {
	t.Parallel()
	for lines, want := range map[string]uint8{
		"": 1, "a=ptime:10": 1, "a=ptime:60": 1, "a=maxptime:20": 1, "a=maxptime:150": 1, "a=maxptime:10": 2, "a=maxptime: 19 ": 2,
		"a=maxptime:7.5": 4, "a=maxptime:4": 5, "a=maxptime:2": 10, "a=maxptime:1": 20, "a=maxptime:0": 1, "a=maxptime:-3": 1,
		"a=maxptime:soon": 1, "a=maxptime:NaN": 1, "a=maxptime:1e300": 1, "a=maxptime:": 1, "m=video 4002 RTP/AVP 31\na=maxptime:5": 1,
	} {
		s, err := Parse([]byte("v=0\nc=IN IP4 127.0.0.1\nm=audio 4000 RTP/AVP 0\n" + lines + "\n"))
		if err != nil || s.Pieces() != want {
			t.Errorf("%q: %d pieces, %v; want %d", lines, s.Pieces(), err, want)
		}
	}
}

// TestCodecsUnderOtherNumbers checks that a codec of ours is recognised by its name and keeps the
// number that the far end gives it, and that a static number of another codec is not misused.
func TestCodecsUnderOtherNumbers(t *testing.T) {
	t.Parallel()
	for media, want := range map[string]Choice{
		"97 0\na=rtpmap:97 pcmu/8000/1":                                    {Codec: g711.PCMU(), Audio: 97},
		"98 101\na=rtpmap:98 PCMA/8000\na=rtpmap:101 telephone-event/8000": {Codec: g711.PCMA(), Audio: 98, Event: 101},
		"0 97\na=rtpmap:97 PCMA/8000":                                      {Codec: g711.PCMU()},
		"9 8\na=rtpmap:9 PCMU/8000":                                        {Codec: g711.PCMA()},
		"97 8\na=rtpmap:97 PCMU/16000":                                     {Codec: g711.PCMA()},
		"97 8\na=rtpmap:97 PCMU/8000/2":                                    {Codec: g711.PCMA()},
	} {
		s, err := Parse([]byte("v=0\nc=IN IP4 192.0.2.1\nm=audio 4000 RTP/AVP " + media + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		got, ok := s.Choose([]g711.Codec{g711.PCMU(), g711.PCMA()})
		if !ok || got != want {
			t.Errorf("%q: chose %+v, want %+v", media, got, want)
		}
	}
}

// TestNoDescriptionAtAll checks that a missing description is not taken for one without audio.
func TestNoDescriptionAtAll(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\r\n"} {
		if _, err := Parse([]byte(text)); err == nil || err.Error() != "there is no session description" {
			t.Errorf("%q: %v, want that there is none", text, err)
		}
	}
}

// TestAudioThatIsNotSpokenHere checks that audio with an unsupported profile is refused with the
// name of the profile.
func TestAudioThatIsNotSpokenHere(t *testing.T) {
	t.Parallel()
	for media, want := range map[string]string{
		"audio 4000 RTP/SAVP 0": `the session description has no audio over RTP/AVP, only over "RTP/SAVP", which is not supported`,
		"video 4000 RTP/AVP 96": "the session description has no audio over RTP/AVP",
	} {
		if _, err := Parse([]byte("v=0\nc=IN IP4 192.0.2.1\nm=" + media + "\n")); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", media, err, want)
		}
	}
}

func TestADescriptionWithSeveralMedia(t *testing.T) {
	t.Parallel()
	s, err := Parse([]byte("v=0\nc=IN IP4 192.0.2.1\nm=video 5000 RTP/AVP 96\nc=IN IP4 192.0.2.2\nm=audio 4000 RTP/AVP 8\nm=image 0 udptl t38\n"))
	if err != nil {
		t.Fatal(err)
	}
	if s.Addr != netip.MustParseAddr("192.0.2.1") || len(s.Before) != 1 || len(s.After) != 1 {
		t.Errorf("%+v, want the address 192.0.2.1 and one medium before the audio and one after", s)
	}
	d := Description{Addr: s.Addr, Port: 6000, Codecs: []g711.Codec{g711.PCMA()}, Direction: SendRecv, Before: s.Before, After: s.After}
	text := string(d.Text())
	if video, audio := strings.Index(text, "m=video 0"), strings.Index(text, "m=audio 6000"); video < 0 || audio < video {
		t.Errorf("the video is not refused in its place before the audio:\n%s", text)
	}
}

// TestAnotherMediumWithoutFormats checks refused media without any formats, which some far ends
// write.
func TestAnotherMediumWithoutFormats(t *testing.T) {
	t.Parallel()
	s, err := Parse([]byte("v=0\nc=IN IP4 192.0.2.1\nm=audio 4000 RTP/AVP 8\nm=video 0 RTP/AVP\n"))
	if err != nil || s.Port != 4000 || len(s.After) != 1 || s.After[0] != "video 0 RTP/AVP 0" {
		t.Errorf("%+v, %v, want port 4000 and behind it \"video 0 RTP/AVP 0\"", s, err)
	}
	if _, err := Parse([]byte("v=0\nc=IN IP4 192.0.2.1\nm=audio 4000 RTP/AVP\n")); err == nil {
		t.Error("audio without a format was taken")
	}
}

// TestAudioInThePlaceOfAudio checks that a media line keeps its position after it has ended.
func TestAudioInThePlaceOfAudio(t *testing.T) {
	t.Parallel()
	const text = "v=0\nc=IN IP4 192.0.2.1\na=sendonly \nm=audio 0 RTP/AVP 18 0\na=inactive\nm=image 0 udptl t38\nm=audio 4000 RTP/AVP 8\nm=audio 4002 RTP/AVP 0\n"
	s, err := Parse([]byte(text))
	if err != nil || s.Port != 4000 || s.Direction != SendOnly || len(s.Formats) != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	d := Description{Addr: s.Addr, Port: 6000, Codecs: []g711.Codec{g711.PCMA()}, Direction: RecvOnly, Before: s.Before, After: s.After}
	var media []string
	for line := range strings.Lines(string(d.Text())) {
		if strings.HasPrefix(line, "m=") {
			media = append(media, strings.TrimSpace(line))
		}
	}
	want := "m=audio 0 RTP/AVP 18;m=image 0 udptl t38;m=audio 6000 RTP/AVP 8;m=audio 0 RTP/AVP 0"
	if got := strings.Join(media, ";"); got != want {
		t.Errorf("the answer is %s, want %s", got, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		plainSDP, "", "v=0", "m=audio 1 RTP/AVP 0", "c=IN IP6 ::1\nm=audio 65535 RTP/AVP 0 300",
		"c=IN IP4 1.2.3.4/127\nm=audio 70000 RTP/AVP 0", "c=IN IP4 x\n", "m=audio 1/2 RTP/AVP 0\na=rtpmap:0", "a=rtpmap:999 X/1\nm=",
		strings.Repeat("m=audio 1 RTP/AVP 0\r\n", 300),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Parse(b)
		if err != nil || s.Host != "" {
			return
		}
		taken, ok := s.Choose([]g711.Codec{g711.PCMU(), g711.PCMA()})
		if !ok {
			return
		}
		d := Description{Addr: s.Addr, Port: s.Port, Codecs: []g711.Codec{taken.Codec}, AudioType: taken.Audio, EventType: taken.Event, Direction: s.Direction}
		again, err := Parse(d.Text())
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if c, ok := again.Choose([]g711.Codec{taken.Codec}); !ok || c != taken || again.Port != s.Port {
			t.Fatalf("%+v came back as %+v", s, again)
		}
	})
}
