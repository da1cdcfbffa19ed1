package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// checkService reports what cannot be right about the address and key of a service.
func checkService(address, key string) (fields []problem.Field) {
	fields = checkAddress("--url", address)
	if strings.TrimSpace(key) == "" || strings.ContainsAny(key, "\r\n") {
		fields = append(fields, problem.Field{Path: "RINGTRUE_KEY", Message: "must be an API key of the service; make one with `ringtrue keys create`"})
	}
	return fields
}

// checkAddress reports what cannot be right about the address of a service given with that flag.
func checkAddress(flag, address string) []problem.Field {
	switch u, err := url.Parse(address); {
	case err != nil || !isWeb(address):
		return []problem.Field{{Path: flag, Message: "must be an http or https address such as http://127.0.0.1:8080"}}
	case u.User == nil && strings.Contains(address, "@"):
		// What stands before the sign is taken for host and port, and would be told as such.
		return []problem.Field{{Path: flag, Message: "must have # written as %23, / as %2F and ? as %3F in user and password"}}
	}
	return nil
}

// shown is the address of a service without user and password. Errors end up in build logs, where
// the credentials of a proxy do not belong.
func shown(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the address of --url"
	}
	u.User = nil
	return u.String()
}

// unanswered adds what to do where nothing answers, or something that is not Ringtrue; other errors
// stay as they are.
func unanswered(address string, err error) error {
	var refused *client.Error
	var transport *url.Error
	switch {
	case errors.Is(err, context.Canceled): // which is told as a transport's, too
	case errors.As(err, &refused) && refused.Code == "":
		return problem.New(problem.Unavailable, "what answers at %s is not a Ringtrue service: %s", shown(address), refused.Message).
			WithHint("give the address of the service with --url")
	case errors.As(err, &transport):
		return problem.New(problem.Unavailable, "nothing answers at %s", shown(address)).
			WithHint("start `ringtrue serve`, or give the address of the service with --url").Because(transport.Err)
	}
	return err
}

// quietFor is the pause between two lines about a service that is away.
const quietFor = time.Minute

// tellsAgain says on say that the service is being asked again, so that nobody takes
// a wait for a standstill.
func tellsAgain(say io.Writer) client.Option {
	var one sync.Mutex
	var last time.Time
	return client.WithNotice(func(err error) {
		one.Lock()
		defer one.Unlock()
		if !last.IsZero() && time.Since(last) < quietFor {
			return
		}
		last = time.Now()
		why := "nothing answers"
		var refused *client.Error
		if errors.As(err, &refused) {
			why = refused.Message
		}
		fmt.Fprintf(say, "asking the service again (%s)\n", why)
	})
}
