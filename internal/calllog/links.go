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

// maxLinks limits how many links to a recording are kept.
const maxLinks = 8

// HasRecording adds a link to the recording with the given number of channels, 0 if unknown. The
// best link becomes the main one, the others alternatives. Once there is a scrubbed recording,
// other links are ignored.
func (r *Record) HasRecording(link string, channels int) {
	if link != "" && !r.ScrubbedRecording {
		r.addLink(link, channels)
	}
}

// HasScrubbedRecording adds a link to a recording that the platform has scrubbed of people. It
// replaces links to recordings that are not.
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

// mergeLinks merges the links of two records. All are kept, so that a link which expires before it
// is used does not displace one that still works. Links to scrubbed recordings replace the others.
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

// setLinks stores links, the best one first. Their order depends on the links alone, so that it
// does not matter which record came first.
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

// compareLinks prefers a channel for each side, then the link that is valid for longest, which is
// the newest, and then the longer one: a signed link works where the same link without its
// signature does not.
func compareLinks(a, b call.RecordingLink) int {
	if c := cmp.Compare(b.Channels, a.Channels); c != 0 || a.URL == b.URL {
		return c
	}
	return cmp.Or(expiry(b.URL).Compare(expiry(a.URL)), cmp.Compare(len(b.URL), len(a.URL)), cmp.Compare(b.URL, a.URL))
}

// expiry returns until when a signed link is valid, as told by its query: the time of signing plus
// a lifetime, or an absolute time. It is zero when the link does not say.
func expiry(link string) time.Time {
	u, err := url.Parse(link)
	if err != nil || u.RawQuery == "" {
		return time.Time{}
	}
	var signed, ends time.Time
	var lasts time.Duration
	told := u.Query()
	for _, key := range slices.Sorted(maps.Keys(told)) { // sorted, so that the result does not depend on map order
		name := strings.ToLower(key)
		switch value := told.Get(key); {
		case strings.HasPrefix(name, "response-"): // sets headers of the answer
		case strings.HasSuffix(name, "-date"):
			signed, _ = time.Parse("20060102T150405Z", value)
		case name == "se":
			ends, _ = time.Parse(time.RFC3339, value)
		case strings.HasSuffix(name, "expires"):
			n, err := strconv.ParseInt(value, 10, 64)
			switch {
			case err != nil || n < 0 || n > 1<<33:
			case n > 1<<30: // too large for a lifetime in seconds
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
