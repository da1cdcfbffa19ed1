package calllog

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// maxLinks is how many links to a recording are kept.
const maxLinks = 8

// HasRecording takes in a link to the recording with as many channels, 0 when that is
// not told. The best one counts, and the others are where it may be as well. Beside one
// that was scrubbed of people it is none.
func (r *Record) HasRecording(link string, channels int) {
	if link != "" && !r.ScrubbedRecording {
		r.addLink(link, channels)
	}
}

// HasScrubbedRecording takes in a link to a recording that the platform has scrubbed of
// people, in the place of all that it has not.
func (r *Record) HasScrubbedRecording(link string, channels int) {
	if link == "" {
		return
	}
	if !r.ScrubbedRecording {
		r.RecordingURL, r.OtherRecordings, r.ScrubbedRecording = "", nil, true
	}
	r.addLink(link, channels)
}

func (r *Record) addLink(link string, channels int) {
	setLinks(&r.Reported, append(linksOf(r.Reported), call.RecordingLink{URL: link, Channels: channels}))
}

// mergeLinks gives a record the links of two. A link that has expired by the time it is
// followed must not have pushed out one that opens. Those to what still tells of people
// give way to those to what was scrubbed of them.
func mergeLinks(out *call.Reported, a, b call.Reported) {
	isScrubbed := func(r call.Reported) bool { return r.ScrubbedRecording && r.RecordingURL != "" }
	out.ScrubbedRecording = isScrubbed(a) || isScrubbed(b)
	switch {
	case isScrubbed(a) && !isScrubbed(b):
		b = call.Reported{}
	case isScrubbed(b) && !isScrubbed(a):
		a = call.Reported{}
	}
	setLinks(out, slices.Concat(linksOf(a), linksOf(b)))
	out.CallerChannel = -1
	for _, r := range []call.Reported{a, b} {
		if r.RecordingURL != "" && r.RecordingURL == out.RecordingURL {
			out.CallerChannel = max(out.CallerChannel, r.CallerChannel)
		}
	}
}

func linksOf(r call.Reported) []call.RecordingLink {
	if r.RecordingURL == "" {
		return nil
	}
	return append([]call.RecordingLink{{URL: r.RecordingURL, Channels: r.Channels}}, r.OtherRecordings...)
}

// setLinks lays out links, the best one first. Their order depends on nothing but
// themselves, so that it is the same whichever record came first.
func setLinks(r *call.Reported, links []call.RecordingLink) {
	slices.SortStableFunc(links, compareLinks)
	seen := map[string]bool{}
	links = slices.DeleteFunc(links, func(l call.RecordingLink) bool {
		again := seen[l.URL]
		seen[l.URL] = true
		return again
	})
	if len(links) == 0 {
		return
	}
	links = links[:min(len(links), maxLinks)]
	r.RecordingURL, r.Channels, r.OtherRecordings = links[0].URL, links[0].Channels, links[1:]
	if len(links) == 1 {
		r.OtherRecordings = nil
	}
}

// compareLinks puts a channel for each side first, of those the link that opens for
// longest, which is the newest of its kind, and then the longer one: a signed link
// opens where the same without its signature only names the place.
func compareLinks(a, b call.RecordingLink) int {
	if c := cmp.Compare(b.Channels, a.Channels); c != 0 || a.URL == b.URL {
		return c
	}
	return cmp.Or(expiry(b.URL).Compare(expiry(a.URL)), cmp.Compare(len(b.URL), len(a.URL)), cmp.Compare(b.URL, a.URL))
}

// expiry is until when a signed link opens, as far as it says so itself: when it was
// signed and for how many seconds, or the moment at which it ends. It is zero when nothing is told.
func expiry(link string) time.Time {
	u, err := url.Parse(link)
	if err != nil || u.RawQuery == "" {
		return time.Time{}
	}
	var signed, ends time.Time
	var lasts time.Duration
	told := u.Query()
	for _, key := range slices.Sorted(maps.Keys(told)) { // where several tell it, the same one each time
		name := strings.ToLower(key)
		switch value := told.Get(key); {
		case strings.HasPrefix(name, "response-"): // what the answer is to say of itself
		case strings.HasSuffix(name, "-date"):
			signed, _ = time.Parse("20060102T150405Z", value)
		case name == "se":
			ends, _ = time.Parse(time.RFC3339, value)
		case strings.HasSuffix(name, "expires"):
			n, err := strconv.ParseInt(value, 10, 64)
			switch {
			case err != nil || n < 0 || n > 1<<33:
			case n > 1<<30: // no link opens for so many seconds
				ends = time.Unix(n, 0).UTC()
			default:
				lasts = time.Duration(n) * time.Second
			}
		}
	}
	if ends.IsZero() && !signed.IsZero() {
		return signed.Add(lasts)
	}
	return ends
}
