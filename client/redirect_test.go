package client

import (
	"context"
	"net/http"
	"strings"
	"testing"
)

// A proxy that sends http to https makes a GET of what changes something. Its answer looks like
// that of a change that was made.
func TestAChangeIsNotTurnedIntoALook(t *testing.T) {
	t.Parallel()
	for name, send := range map[string]func(*Client, context.Context) error{
		"create": func(c *Client, ctx context.Context) error {
			_, err := c.CreateDataset(ctx, NewDataset{Name: "x"})
			return err
		},
		"update": func(c *Client, ctx context.Context) error {
			_, err := c.UpdateDataset(ctx, "ds_1", DatasetChange{})
			return err
		},
		"put": func(c *Client, ctx context.Context) error {
			_, err := c.SetPrices(ctx, Prices{Currency: "EUR"})
			return err
		},
		"delete": func(c *Client, ctx context.Context) error { return c.DeleteDataset(ctx, "ds_1") },
	} {
		for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther} {
			c, s := script(t, answer(status, "", "Location", "/api/rest/elsewhere?secret=1"), answer(200, `{"data":[]}`))
			err := send(c, t.Context())
			if err == nil || !strings.Contains(err.Error(), "/api/rest/elsewhere, where it would only look") || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s through %d: %v", name, status, err)
			}
			if len(s.waits) != 0 {
				t.Errorf("%s through %d was tried again", name, status)
			}
		}
		c, s := script(t, answer(http.StatusPermanentRedirect, "", "Location", "/api/rest/elsewhere"), answer(200, `{"data":[]}`))
		if err := send(c, t.Context()); err != nil || s.requests[0].Method != s.requests[1].Method || s.bodies[0] != s.bodies[1] {
			t.Errorf("%s through a redirect that keeps the request: %v", name, err)
		}
	}
	c, _ := script(t, answer(http.StatusFound, "", "Location", "/api/rest/elsewhere"), answer(200, `{"data":[{"id":"ds_1"}]}`))
	if page, err := c.Datasets(t.Context(), PageOptions{}); err != nil || len(page.Data) != 1 {
		t.Errorf("a look stays one: %+v %v", page, err)
	}
}
