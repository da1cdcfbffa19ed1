package calllog_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
)

func recordOf(links ...call.RecordingLink) calllog.Record {
	r := calllog.Record{Reported: call.Reported{CallerChannel: -1}}
	for _, l := range links {
		r.HasRecording(l.URL, l.Channels)
	}
	return r
}

func linksIn(r calllog.Record) string {
	out := []string{strconv.Itoa(r.Channels) + r.RecordingURL}
	for _, l := range r.OtherRecordings {
		out = append(out, strconv.Itoa(l.Channels)+l.URL)
	}
	return strings.ReplaceAll(strings.Join(out, " "), "https://e.org/", "")
}

// The links of two records are merged, the newest of each kind first, whatever their order.
func TestLinksOfSeveralRecords(t *testing.T) {
	t.Parallel()
	const e = "https://e.org/"
	for name, c := range map[string]struct {
		a, b []call.RecordingLink
		want string
	}{
		"two mixes":        {[]call.RecordingLink{{URL: e + "a"}}, []call.RecordingLink{{URL: e + "bb"}}, "0bb 0a"},
		"one and none":     {[]call.RecordingLink{{URL: e + "a", Channels: 2}}, nil, "2a"},
		"none":             {nil, nil, "0"},
		"the same":         {[]call.RecordingLink{{URL: e + "a", Channels: 2}}, []call.RecordingLink{{URL: e + "a", Channels: 1}, {URL: e + "b", Channels: 1}}, "2a 1b"},
		"channels first":   {[]call.RecordingLink{{URL: e + "a", Channels: 2}, {URL: e + "longer"}}, []call.RecordingLink{{URL: e + "b", Channels: 1}}, "2a 1b 0longer"},
		"signed later":     {[]call.RecordingLink{{URL: e + "a?X-S-Date=20260101T100000Z&X-S-Expires=3600&X-S-Sig=longer"}}, []call.RecordingLink{{URL: e + "a?X-S-Date=20260101T103000Z&X-S-Expires=3600"}}, "0a?X-S-Date=20260101T103000Z&X-S-Expires=3600 0a?X-S-Date=20260101T100000Z&X-S-Expires=3600&X-S-Sig=longer"},
		"until later":      {[]call.RecordingLink{{URL: e + "a?Expires=1767261600&Signature=long"}}, []call.RecordingLink{{URL: e + "a?Expires=1767265200"}}, "0a?Expires=1767265200 0a?Expires=1767261600&Signature=long"},
		"signed or not":    {[]call.RecordingLink{{URL: e + "a-plain-link-that-is-much-longer-than-the-other"}}, []call.RecordingLink{{URL: e + "a?se=2026-01-01T10:00:00Z"}}, "0a?se=2026-01-01T10:00:00Z 0a-plain-link-that-is-much-longer-than-the-other"},
		"nonsense in them": {[]call.RecordingLink{{URL: e + "a?expires=-1&x-date=no"}}, []call.RecordingLink{{URL: e + "b?Expires=99999999999999999999"}}, "0b?Expires=99999999999999999999 0a?expires=-1&x-date=no"},
	} {
		a, b := recordOf(c.a...), recordOf(c.b...)
		for _, r := range []calllog.Record{calllog.Merge(a, b), calllog.Merge(b, a), calllog.Merge(calllog.Merge(a, b), a), calllog.Merge(calllog.Record{}, calllog.Merge(b, a))} {
			if got := linksIn(r); got != c.want || r.CallerChannel != -1 {
				t.Errorf("%s: %s, want %s", name, got, c.want)
			}
		}
	}
}

// Records may be merged in any order and grouping.
func TestLinksInAnyOrder(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		records := make([]calllog.Record, 4)
		for i := range records {
			for range draw.IntN(6) {
				n := draw.IntN(20)
				link := "https://e.org/" + strconv.Itoa(n) + "?Expires=" + strconv.Itoa(1767261600+n%3)
				if draw.IntN(10) == 0 {
					records[i].HasScrubbedRecording(link, n%3)
				} else {
					records[i].HasRecording(link, n%3)
				}
			}
			records[i].CallerChannel = -1
		}
		whole := calllog.Record{}
		for _, r := range records {
			whole = calllog.Merge(whole, r)
		}
		draw.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
		pairs := calllog.Merge(calllog.Merge(records[0], records[1]), calllog.Merge(records[2], records[3]))
		if !reflect.DeepEqual(whole, pairs) || len(whole.OtherRecordings) > 7 {
			t.Fatalf("%s\n%s", linksIn(whole), linksIn(pairs))
		}
	}
}

// If one record is scrubbed of people, the recordings of the other are not fetched.
func TestLinksBesideScrubbedWords(t *testing.T) {
	t.Parallel()
	plain, scrubbed := recordOf(call.RecordingLink{URL: "https://e.org/plain", Channels: 2}), recordOf(call.RecordingLink{URL: "https://e.org/scrubbed", Channels: 1})
	scrubbed.Scrubbed = true
	for _, r := range []calllog.Record{calllog.Merge(plain, scrubbed), calllog.Merge(scrubbed, plain)} {
		if got := linksIn(r); got != "1scrubbed" {
			t.Error(got)
		}
	}
}

// A scrubbed recording replaces plain ones, even if neither record has words.
func TestScrubbedLinksOfSeveralRecords(t *testing.T) {
	t.Parallel()
	plain := recordOf(call.RecordingLink{URL: "https://e.org/plain", Channels: 2})
	scrubbed := recordOf(call.RecordingLink{URL: "https://e.org/plain", Channels: 2})
	scrubbed.HasScrubbedRecording("https://e.org/scrubbed", 1)
	scrubbed.HasScrubbedRecording("https://e.org/other", 1)
	scrubbed.HasRecording("https://e.org/plain", 2)
	words := recordOf(call.RecordingLink{URL: "https://e.org/plain", Channels: 2})
	words.Scrubbed = true
	for _, r := range []calllog.Record{calllog.Merge(plain, scrubbed), calllog.Merge(scrubbed, plain), calllog.Merge(calllog.Record{}, scrubbed), calllog.Merge(scrubbed, words), calllog.Merge(words, scrubbed)} {
		if got := linksIn(r); got != "1scrubbed 1other" || !r.ScrubbedRecording {
			t.Errorf("%s, scrubbed %t", got, r.ScrubbedRecording)
		}
	}
	if r := scrubbed.Under(calllog.KeepNoPeople); r.ScrubbedRecording || r.RecordingURL != "" {
		t.Errorf("%+v", r.Reported)
	}
}

// Old stored records have addresses only.
func TestLinksAsTheyWereKept(t *testing.T) {
	t.Parallel()
	var r calllog.Record
	if err := json.Unmarshal([]byte(`{"recording_url":"https://e.org/1","other_recordings":["https://e.org/2",{"url":"https://e.org/3","channels":1}]}`), &r); err != nil {
		t.Fatal(err)
	}
	if got := linksIn(r); got != "01 02 13" {
		t.Error(got)
	}
}

// A link may contain several expiry times. The same one must be used every time.
func TestLinksThatTellTheirEndTwice(t *testing.T) {
	t.Parallel()
	const twice, once = "https://s.example/a.wav?Expires=1900000000&X-Expires=1900000000&response-expires=1700000000", "https://s.example/b.wav?Expires=1800000000"
	of := func() string {
		return linksIn(calllog.Merge(recordOf(call.RecordingLink{URL: once}), recordOf(call.RecordingLink{URL: twice})))
	}
	first := of()
	if !strings.HasPrefix(first, "0https://s.example/a.wav") {
		t.Errorf("%s: the one that opens for longer comes later", first)
	}
	for range 100 {
		if again := of(); again != first {
			t.Fatalf("%s, then %s", first, again)
		}
	}
}
