package speech

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// knockTime is how long a check waits for an endpoint.
const knockTime = 5 * time.Second

// knock checks whether the endpoint can be reached. Any answer counts except a gateway's error
// that its backend is missing: not every server lists its models, and a key may be valid for
// speech but not for the list.
func (e *endpoint) knock(ctx context.Context) (said string, err error) {
	ctx, cancel := context.WithTimeout(ctx, knockTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, e.base+"/models", nil)
	if err != nil {
		return "", fmt.Errorf("make the request: %w", err)
	}
	if e.key != "" {
		req.Header.Set("Authorization", "Bearer "+e.key)
	}
	res, err := e.client.Do(req)
	if err != nil {
		return "", nobody(err, req.URL)
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return "", problem.New(problem.Unavailable, "%s answers with status %d: the server behind it is down", req.URL.Host, res.StatusCode).
			WithHint("Check whether the speech server is running.")
	case http.StatusUnauthorized, http.StatusForbidden:
		return fmt.Sprintf(", and does not list its models for this key (status %d)", res.StatusCode), nil
	}
	return "", nil
}

// nobody returns an error that says why an endpoint was not reached. It names only the host of the address, as
// the rest may be secret.
func nobody(err error, at *url.URL) error {
	var why *url.Error
	text := "no answer"
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		text = fmt.Sprintf("no answer within %s", knockTime)
	case errors.As(err, &why):
		text = why.Err.Error()
	}
	return problem.New(problem.Unavailable, "nothing answers at %s (%s)", at.Host, text).
		WithHint("Start the speech server, or give its address with --speech-url.").Because(err)
}
