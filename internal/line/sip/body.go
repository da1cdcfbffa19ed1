package sip

import (
	"bytes"
	"mime"
	"mime/multipart"
	"strings"

	msg "github.com/emiago/sipgo/sip"
)

// maxParts bounds the parts of a body that are looked through, and maxDepth how deep they may lie in one another.
const maxParts, maxDepth = 16, 4

// bearer is a request or a response.
type bearer interface {
	GetHeader(name string) msg.Header
	ContentType() *msg.ContentTypeHeader
	Body() []byte
}

// described is the session description in a message's body, alone or among other
// parts (RFC 5621); false when the body is of another kind. A body without a kind
// is taken for a description.
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

// descriptionOf is the session description in a message that belongs to a call,
// nil when there is none. There a wrong kind does not hide what plainly is one.
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

// bodiless says that a message has no body: a few blank lines are none.
func bodiless(m bearer) bool { return len(bytes.TrimSpace(m.Body())) == 0 }

// descriptionIn is the session description in a body of a kind, which may be made of parts that are made of parts
// (RFC 5621 section 4). Of alternatives any will do.
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
