package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// Recording is the audio of a call while it is read: two channels, caller
// left, agent right. It must be closed.
type Recording struct {
	io.ReadCloser
	// Type is the media type, "audio/wav".
	Type string
	// Bytes is the length, -1 when the service does not say.
	Bytes int64
}

// Recording opens the recording of a call.
func (c *Client) Recording(ctx context.Context, callID string) (*Recording, error) {
	resp, err := c.send(ctx, request{ //nolint:bodyclose // whoever reads the recording closes it
		method: http.MethodGet, path: "/calls/" + url.PathEscape(callID) + "/recording", accept: "audio/*, */*;q=0.1", safe: true,
	})
	if err != nil {
		return nil, err
	}
	return &Recording{ReadCloser: resp.Body, Type: resp.Header.Get("Content-Type"), Bytes: resp.ContentLength}, nil
}

// SaveRecording writes the recording of a call to w and returns its length. A
// recording that breaks off is an error.
func (c *Client) SaveRecording(ctx context.Context, callID string, w io.Writer) (n int64, err error) {
	r, err := c.Recording(ctx, callID)
	if err != nil {
		return 0, err
	}
	defer r.Close() //nolint:errcheck // it was only read
	n, err = io.Copy(w, r)
	if err == nil && r.Bytes >= 0 && n != r.Bytes {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return n, fmt.Errorf("recording of %s: %w", callID, err)
	}
	return n, nil
}
