package app

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Bodies that are too large are refused, whatever way they come.
func TestBodiesOfFiveMegabytes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	text := `{"name":"` + strings.Repeat(planted[:10], 500<<10) + `"}`
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := io.WriteString(z, text)
	must(t, err)
	must(t, z.Close())
	large := []string{"create-dataset", "import-dataset-items", "add-dataset-items", "check-dataset-items"} // these take 16 MB
	takesNone := []string{"cancel-voice-experiment", "review-call", "resume-review"}
	r.untouched(t, func() {
		for id, op := range r.takesBody(t) {
			if slices.Contains(takesNone, id) {
				continue
			}
			status, code, most := 413, "too_large", 1<<20
			if id == "submit-call-log" {
				most = 4 << 20
			}
			if slices.Contains(large, id) {
				status, code = 422, "invalid_fields"
			}
			refused := func(what string, a answer) wire { return r.refused(t, id+what, a, status, code) }
			if id == "check-dataset-items" { // what is wrong with its body is its answer
				refused = func(what string, a answer) wire { return r.checked(t, id+what, a) }
			}
			p := refused(" with 5 MB", r.ask(t, reaches()[id].as(r.mine), op[0], op[1], []byte(text)))
			if status == 413 && p.Detail != fmt.Sprintf("the body is larger than the %d bytes that this operation takes", most) {
				t.Errorf("%s: %q", id, p.Detail)
			}
			plain(t, id, p)
			req, err := http.NewRequestWithContext(t.Context(), op[0], "http://"+r.addr+"/api/rest"+op[1], io.MultiReader(strings.NewReader(text)))
			must(t, err)
			reaches()[id].as(r.mine).sign(req)
			req.Header.Set("Content-Type", "application/json")
			refused(" with 5 MB in chunks", r.send(t, req))
			r.refused(t, id+" with 5 MB in a bomb", r.ask(t, reaches()[id].as(r.mine), op[0], op[1], packed.Bytes(), "Content-Encoding", "gzip"), 415, "unsupported_media_type")
			if slices.Contains(large, id) {
				huge := []byte(strings.Repeat(" ", 17<<20))
				p := r.refused(t, id+" with 17 MB", r.ask(t, r.mine, op[0], op[1], huge), 413, "too_large")
				if p.Detail != "the body is larger than the 16777216 bytes that this operation takes" {
					t.Errorf("%s: %q", id, p.Detail)
				}
			}
		}
	})
}

// Who sends the whole of a body before listening hears all the same that it was too large.
func TestTooLargeIsHeardByWhoSendsFirst(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const size = 24 << 20 // more than lies in the buffers on the way
	conn, err := net.Dial("tcp", r.addr)
	must(t, err)
	defer conn.Close()
	must(t, conn.SetDeadline(time.Now().Add(20*time.Second)))
	fmt.Fprint(conn, lines("POST /api/rest/v2/call-logs HTTP/1.1", "Host: x", "Authorization: Bearer "+r.mine.key,
		"Content-Type: application/json", fmt.Sprintf("Content-Length: %d", size)))
	_, err = conn.Write(bytes.Repeat([]byte(" "), size))
	must(t, err)
	a, err := readAnswer(bufio.NewReader(conn))
	must(t, err)
	r.refused(t, "sent first", a, 413, "too_large")
}

// A client that sends its head or its body drop by drop is sent away and holds
// up nobody else.
func TestSlowClientsAreSentAway(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.untouched(t, func() {
		var all sync.WaitGroup
		slow := func(name, first, drops string, wantStatus int) {
			all.Go(func() {
				conn, err := net.Dial("tcp", r.addr)
				if err != nil {
					t.Error(err)
					return
				}
				defer conn.Close()
				_ = conn.SetDeadline(time.Now().Add(60 * time.Second))
				began := time.Now()
				fmt.Fprint(conn, first)
				gone := make(chan struct{})
				go func() {
					for {
						select {
						case <-gone:
							return
						case <-time.After(500 * time.Millisecond):
							if _, err := io.WriteString(conn, drops); err != nil {
								return
							}
						}
					}
				}()
				a, err := readAnswer(bufio.NewReader(conn))
				close(gone)
				took := time.Since(began)
				if wantStatus == 0 && err == nil || wantStatus != 0 && a.status != wantStatus || took > 45*time.Second {
					t.Errorf("%s: answered %d (%v) after %v", name, a.status, err, took.Round(time.Second))
				}
			})
		}
		slow("slow head", "GET /api/rest/agents HTTP/1.1\r\nHost: x\r\n", "X-A: 1\r\n", 0)
		body := lines("POST /api/rest/voice-agent/agt_x/run HTTP/1.1", "Host: x", "Authorization: Bearer "+r.mine.key, "Content-Type: application/json", "Content-Length: 1000")
		slow("slow body", body, " ", http.StatusRequestTimeout)
		for range 100 { // silent ones, beside whom others are served
			slow("silent", "GET /api/rest/agents HTTP/1.1\r\n", "", 0)
		}
		for range 20 {
			if a := r.ask(t, r.mine, "GET", "/agents", nil); a.status != 200 {
				t.Errorf("others are not served: %d", a.status)
			}
		}
		all.Wait()
	})
}

// A thousand at once are all answered, good and bad alike, and none is written twice.
func TestAThousandRequestsAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	transport := &http.Transport{MaxIdleConnsPerHost: 1000}
	defer transport.CloseIdleConnections()
	c := &http.Client{Transport: transport, Timeout: time.Minute}
	var all sync.WaitGroup
	for i := range 1000 {
		all.Go(func() {
			body, want, key := fmt.Sprintf(`{"name":"agent %d"}`, i), 201, r.mine.key
			switch i % 5 {
			case 0:
				body, want = `{"name":`, 400
			case 1:
				body, want = `{"name":7}`, 422
			case 2:
				key, want = "nobody's", 401
			}
			req, _ := http.NewRequest(http.MethodPost, "http://"+r.addr+"/api/rest/agents", strings.NewReader(body))
			req.Header.Set("Authorization", "Bearer "+key)
			req.Header.Set("Content-Type", "application/json")
			resp, err := c.Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			_, _ = io.Copy(io.Discard, resp.Body)
			if resp.StatusCode != want {
				t.Errorf("request %d: %d, want %d", i, resp.StatusCode, want)
			}
		})
	}
	all.Wait()
	if n := len(r.names(t, `SELECT id FROM agents WHERE name LIKE 'agent %'`)); n != 400 {
		t.Errorf("%d agents were written, want 400", n)
	}
	r.checkLog(t)
}
