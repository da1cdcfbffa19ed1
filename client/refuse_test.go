package client

import (
	"context"
	"net/http"
	"testing"
)

// An id never leads to another path: the server is asked for exactly that id, or
// nothing is sent.
func TestIDsCannotLeadElsewhere(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", ".", "..", "../agents", "a/b", "a?b=c", "a#b", "a%2fb", "a\x00b", "\xff", "a\r\nX-Evil: 1", " "} {
		for name, send := range map[string]func(*Client, context.Context) error{
			"agent":     func(c *Client, ctx context.Context) error { _, err := c.Agent(ctx, id); return err },
			"delete":    func(c *Client, ctx context.Context) error { return c.DeleteDataset(ctx, id) },
			"item":      func(c *Client, ctx context.Context) error { _, err := c.Item(ctx, "ds_1", id); return err },
			"call":      func(c *Client, ctx context.Context) error { _, err := c.Call(ctx, id); return err },
			"recording": func(c *Client, ctx context.Context) error { _, err := c.Recording(ctx, id); return err },
		} {
			c, s := script(t, answer(404, `{"code":"not_found","detail":"there is nothing"}`))
			err := send(c, t.Context())
			if plain := id != "" && id != "." && id != ".."; plain {
				if !IsCode(err, "not_found") || len(s.requests) != 1 {
					t.Errorf("%s %q: %v after %d requests", name, id, err, len(s.requests))
				}
				continue
			}
			if !IsCode(err, "invalid_fields") || len(s.requests) != 0 {
				t.Errorf("%s %q: %v after %d requests", name, id, err, len(s.requests))
			}
		}
	}
}

// A deletion whose answer was lost has been made. Asked for again, it finds nothing.
func TestADeletionWhoseAnswerWasLost(t *testing.T) {
	t.Parallel()
	const nothing = `{"code":"not_found","detail":"there is nothing"}`
	for name, first := range map[string]func(http.ResponseWriter){"no answer": breakOff, "perhaps": answer(503, busy)} {
		c, s := script(t, first, answer(404, nothing))
		if err := c.RevokeAPIKey(t.Context(), "key_1"); err != nil || len(s.requests) != 2 {
			t.Errorf("%s: %v after %d requests", name, err, len(s.requests))
		}
	}
	c, _ := script(t, answer(429, busy), answer(404, nothing))
	if err := c.RevokeAPIKey(t.Context(), "key_1"); !IsCode(err, "not_found") {
		t.Errorf("what was put off was not done: %v", err)
	}
	c, _ = script(t, breakOff, answer(404, nothing))
	if _, err := c.CancelReplay(t.Context(), "rev_1"); !IsCode(err, "not_found") {
		t.Errorf("what is stopped is still there: %v", err)
	}
}
