package sip

import (
	"bytes"
	"mime"
	"mime/multipart"
	"strings"

	msg "github.com/emiago/sipgo/sip"
)

// maxParts bounds the number of parts of a body that are examined, and maxDepth how deeply they may be nested.
const maxParts, maxDepth = 16, 4

// bearer is a request or a response.
type bearer interface {
	GetHeader(name string) msg.Header
	ContentType() *msg.ContentTypeHeader
	Body() []byte
}

// described returns the session description in a message's body, alone or among other parts (RFC 5621).
// It returns false if the body is of another type. A body without a type is taken for a description.
func described(m bearer) ([]byte, bool) {
	if h := m.GetHeader("Content-Encoding"); h != nil && !strings.EqualFold(strings.TrimSpace(h.Value()), "identity") {
		return nil, false
	}
	kind := ""
	if h := m.ContentType(); h != nil {
		kind = h.Value()
	}
	if kind == "" {
		return m.Body(), true
	}
	return descriptionIn(m.Body(), kind, maxDepth)
}

// descriptionOf returns the session description in a message of an existing call, nil if there
// is none. Within a call, a wrong content type is ignored if the body plainly is a description.
func descriptionOf(m bearer) []byte {
	if bodiless(m) {
		return nil
	}
	body, ok := described(m)
	if !ok && bytes.HasPrefix(m.Body(), []byte("v=")) {
		return m.Body()
	}
	return body
}

// bodiless reports whether a message has no body; blank lines do not count as one.
func bodiless(m bearer) bool { return len(bytes.TrimSpace(m.Body())) == 0 }

// descriptionIn returns the session description in a body of a type, which may be a nested multipart (RFC 5621
// section 4). Any of several alternatives will do.
func descriptionIn(body []byte, kind string, depth int) ([]byte, bool) {
	name, params, err := mime.ParseMediaType(kind)
	switch {
	case err != nil:
		return nil, false
	case name == "application/sdp":
		return body, true
	case !strings.HasPrefix(name, "multipart/") || params["boundary"] == "" || depth == 0:
		return nil, false
	}
	parts := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	for range maxParts {
		part, err := parts.NextRawPart()
		if err != nil {
			break
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(part); err != nil {
			break
		}
		if found, ok := descriptionIn(b.Bytes(), part.Header.Get("Content-Type"), depth-1); ok {
			return found, true
		}
	}
	return nil, false
}
