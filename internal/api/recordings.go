package api

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
)

type recordingInput struct {
	CallPath
	Range       string `header:"Range" doc:"One range of bytes. Several ranges at once are answered with the whole recording" example:"bytes=0-65535"`
	IfRange     string `header:"If-Range" doc:"Answer with the range only while the recording still has this ETag, else with the whole"`
	IfNoneMatch string `header:"If-None-Match" doc:"Answer 304 without a body while the recording still has this ETag"`
}

type peaksInput struct {
	CallPath
	N       int   `query:"n" minimum:"1" maximum:"4000" default:"800" doc:"How many peaks to return per channel; a short recording has fewer"`
	FromMS  int64 `query:"from_ms" minimum:"0" maximum:"86400000" doc:"Start of the part to outline, milliseconds since the start of the recording"`
	UntilMS int64 `query:"until_ms" minimum:"0" maximum:"86400000" doc:"End of the part to outline, milliseconds since the start of the recording; 0 stands for its end"`
}

// CallPeaks is the outline of a recording, for drawing it.
type CallPeaks struct {
	CallID     string `json:"call_id" doc:"Id of the call"`
	Rate       int    `json:"rate" doc:"Samples per second of the recording"`
	Samples    int64  `json:"samples" doc:"Length of the recording in samples per channel"`
	DurationMS int64  `json:"duration_ms" doc:"Length of the recording in milliseconds"`
	FromMS     int64  `json:"from_ms" doc:"Start of the part that the peaks cover, milliseconds since the start of the recording"`
	UntilMS    int64  `json:"until_ms" doc:"End of that part, milliseconds since the start of the recording"`
	N          int    `json:"n" doc:"How many peaks there are per channel"`
	// Caller and Agent are the lowest and the highest sample of each stretch in turn, -1 to 1.
	Caller []float64 `json:"caller" doc:"Two numbers for each peak, its lowest and its highest sample, -1 to 1: [low, high, low, high, …]"`
	Agent  []float64 `json:"agent" doc:"The same for the agent"`
}

func (s *server) recordingRoutes() {
	audio := func(doc string) *huma.Response {
		return &huma.Response{Description: doc, Content: map[string]*huma.MediaType{
			"audio/wav": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}},
		}}
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-call-recording", Method: http.MethodGet, Path: "/calls/{id}/recording", Tags: []string{tagCalls},
		Summary:     "Get the recording of a call",
		Description: "A WAV file with two channels: caller left, agent right. Byte ranges are supported; HEAD returns the size without the file.",
		Responses: map[string]*huma.Response{
			"200": audio("The whole recording"), "206": audio("The range asked for"),
			"304": {Description: "The recording is still the one with this ETag"},
			"416": {Description: "The range lies beyond the end; Content-Range tells the size"},
		},
	}, s.getRecording)
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-call-peaks", Method: http.MethodGet, Path: "/calls/{id}/peaks", Tags: []string{tagCalls},
		Summary: "Get the outline of a call's recording", Description: "The lowest and highest samples of equal stretches, for drawing the sound.",
	}, s.getPeaks)
}

func (s *server) getRecording(ctx context.Context, in *recordingInput) (*huma.StreamResponse, error) {
	rec, open, err := s.Calls.Recording(ctx, rest.WorkspaceOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hctx huma.Context) {
		r, w := humago.Unwrap(hctx)
		s.serveRecording(w, r, rec, open, in)
	}}, nil
}

func (s *server) serveRecording(w http.ResponseWriter, r *http.Request, rec call.Recording, open archive.Opener, in *recordingInput) {
	etag := `"` + rec.SHA256 + `"`
	h := w.Header()
	h.Set("Accept-Ranges", "bytes")
	h.Set("Cache-Control", "private, no-cache")
	if rec.SHA256 != "" {
		h.Set("ETag", etag)
		if matches(in.IfNoneMatch, etag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	asked := in.Range
	if in.IfRange != "" && (in.IfRange != etag || rec.SHA256 == "") {
		asked = ""
	}
	span, kind := rangeOf(asked, rec.Bytes)
	if kind == rangeBeyond {
		h.Set("Content-Range", fmt.Sprintf("bytes */%d", rec.Bytes))
		s.Refuse(w, r, rangeProblem(rec.Bytes, rest.RequestIDOf(r.Context())))
		return
	}
	h.Set("Content-Type", rec.Type)
	h.Set("Content-Disposition", `inline; filename="`+in.ID+extension(rec.Type)+`"`)
	h.Set("Content-Length", strconv.FormatInt(span.length, 10))
	status := http.StatusOK
	if kind == rangePart {
		status = http.StatusPartialContent
		h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", span.offset, span.offset+span.length-1, rec.Bytes))
	}
	s.sendRecording(w, r, status, span, open)
}

func (s *server) sendRecording(w http.ResponseWriter, r *http.Request, status int, b span, open archive.Opener) {
	if r.Method == http.MethodHead || b.length == 0 {
		w.WriteHeader(status)
		return
	}
	audio, err := open(r.Context(), b.offset, b.length)
	if err != nil {
		for _, name := range []string{"Content-Length", "Content-Range", "Content-Disposition", "ETag", "Accept-Ranges"} {
			w.Header().Del(name)
		}
		s.Refuse(w, r, fmt.Errorf("open recording: %w", err))
		return
	}
	defer audio.Close() //nolint:errcheck // it was only read
	w.WriteHeader(status)
	if _, err := io.CopyN(w, audio, b.length); err != nil && r.Context().Err() == nil {
		// The length was promised, so the client sees that this is not all.
		s.Log.ErrorContext(r.Context(), "recording broke off", "request_id", rest.RequestIDOf(r.Context()), "error", err)
	}
}

// rangeProblem is the answer to a range that no byte lies in.
func rangeProblem(size int64, requestID string) *rest.Problem {
	status := http.StatusRequestedRangeNotSatisfiable
	return &rest.Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Code: "range_not_satisfiable",
		Detail: "the range lies beyond the end of the recording", Hint: fmt.Sprintf("the recording has %d bytes", size), RequestID: requestID,
	}
}

// span is a stretch of bytes.
type span struct{ offset, length int64 }

type rangeKind int

const (
	rangeWhole rangeKind = iota
	rangePart
	rangeBeyond
)

// rangeOf reads a Range header (RFC 9110, section 14). What is not one range
// of bytes is passed over, as the standard has it.
func rangeOf(header string, size int64) (span, rangeKind) {
	whole := span{0, size}
	spec, ok := strings.CutPrefix(header, "bytes=")
	first, last, dash := strings.Cut(strings.TrimSpace(spec), "-")
	if !ok || !dash || strings.Contains(spec, ",") {
		return whole, rangeWhole
	}
	if first == "" {
		n, ok := digits(last)
		switch {
		case !ok:
			return whole, rangeWhole
		case n == 0 || size == 0:
			return whole, rangeBeyond
		}
		n = min(n, size)
		return span{size - n, n}, rangePart
	}
	from, ok := digits(first)
	until := int64(math.MaxInt64)
	if ok && last != "" {
		until, ok = digits(last)
	}
	switch {
	case !ok || until < from:
		return whole, rangeWhole
	case from >= size:
		return whole, rangeBeyond
	}
	return span{from, min(until, size-1) - from + 1}, rangePart
}

// digits reads a number without a sign; one too big for us is as big as can be.
func digits(text string) (int64, bool) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return math.MaxInt64, true
	}
	return n, true
}

// matches reports whether an If-None-Match header names the tag.
func matches(header, etag string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		tag = strings.TrimSpace(tag)
		if tag == "*" || strings.TrimPrefix(tag, "W/") == etag {
			return true
		}
	}
	return false
}

func extension(mediaType string) string {
	if mediaType == "audio/flac" {
		return ".flac"
	}
	return ".wav"
}

func (s *server) getPeaks(ctx context.Context, in *peaksInput) (*rest.Body[CallPeaks], error) {
	p, err := s.Calls.Peaks(ctx, rest.WorkspaceOf(ctx), in.ID, in.N, archive.Window{
		From: time.Duration(in.FromMS) * time.Millisecond, Until: time.Duration(in.UntilMS) * time.Millisecond,
	})
	if err != nil {
		return nil, err
	}
	out := CallPeaks{CallID: in.ID, Rate: p.Rate, Samples: p.Samples, N: len(p.Caller), Caller: drawn(p.Caller), Agent: drawn(p.Agent)}
	if p.Rate > 0 {
		rate := int64(p.Rate)
		out.DurationMS, out.FromMS, out.UntilMS = p.Samples*1000/rate, p.From*1000/rate, p.Until*1000/rate
	}
	return rest.Answer(out), nil
}

// drawn is the peaks as numbers from -1 to 1, to four places.
func drawn(peaks []archive.Peak) []float64 {
	out := make([]float64, 0, 2*len(peaks))
	for _, p := range peaks {
		out = append(out, math.Round(float64(p.Min)/32768*1e4)/1e4, math.Round(float64(p.Max)/32768*1e4)/1e4)
	}
	return out
}
