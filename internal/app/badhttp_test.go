package app

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/workspace"
)

// raw sends bytes over a connection of its own and reads one answer; the text
// may hold $KEY for a header with a good key.
func (r *rig) raw(t *testing.T, text string) (answer, error) {
	t.Helper()
	conn, err := net.Dial("tcp", r.addr)
	must(t, err)
	defer conn.Close()
	must(t, conn.SetDeadline(time.Now().Add(20*time.Second)))
	_, err = io.WriteString(conn, strings.ReplaceAll(text, "$KEY", "Authorization: Bearer "+r.mine.key))
	must(t, err)
	return readAnswer(bufio.NewReader(conn))
}

func readAnswer(in *bufio.Reader) (answer, error) {
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, data}, err
}

const runBody = `{"to_number":"+15550123","dataset_id":"` + planted + `"}`

// lines joins the lines of a request's head.
func lines(l ...string) string { return strings.Join(l, "\r\n") + "\r\n\r\n" }

// httpCase is a request that breaks or stretches HTTP itself.
type httpCase struct {
	name, request string
	// status and code are those of a refusal of ours. Without a code the standard
	// library's server, or the web app's files, answer in plain text, with status;
	// status 0 means that it may also just hang up.
	status int
	code   string
}

func httpCases() []httpCase {
	const host, json = "Host: x", "Content-Type: application/json"
	post := func(path string, more ...string) string {
		return lines(append([]string{"POST /api/rest" + path + " HTTP/1.1", host, "$KEY", "Connection: close"}, more...)...)
	}
	get := func(path string, more ...string) string {
		return lines(append([]string{"GET " + path + " HTTP/1.1", host, "Connection: close"}, more...)...)
	}
	run := "/voice-agent/agt_x/run"
	length := fmt.Sprintf("Content-Length: %d", len(runBody))
	return []httpCase{
		{"HTTP/1.0", lines("GET /api/rest/agents/agt_x HTTP/1.0", "$KEY"), 404, "not_found"},
		{"HTTP/0.9", "GET /\r\n\r\n", 400, ""},
		{"HTTP/2.0 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 0, ""},
		{"TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, ""},
		{"no host", lines("GET /api/rest/agents HTTP/1.1", "$KEY", "Connection: close"), 400, ""},
		{"two hosts", get("/api/rest/agents", "Host: y"), 400, ""},
		{"length and chunks", post(run, json, length, "Transfer-Encoding: chunked") + "0\r\n\r\n", 400, "invalid_json"},
		{"two lengths", post(run, json, length, "Content-Length: 3") + runBody, 400, ""},
		{"negative length", post(run, json, "Content-Length: -1"), 400, ""},
		{"lying length", post(run, json, "Content-Length: 99999999"), 413, "too_large"},
		{"lying length of an import", post("/v2/call-logs", json, "Content-Length: 99999999999"), 413, "too_large"},
		{"unknown transfer encoding", post(run, json, "Transfer-Encoding: rot13") + runBody, 501, ""},
		{"bad chunk", post(run, json, "Transfer-Encoding: chunked") + "zz\r\n" + runBody, 400, "invalid_json"},
		{"expect nonsense", post(run, json, "Expect: a miracle", length) + runBody, 417, ""},
		{"folded header", get("/api/rest/agents", "X-A: 1\r\n folded", "$KEY"), 200, "-"},
		{"space before colon", get("/api/rest/agents", "Authorization : x"), 400, ""},
		{"NUL in a header", get("/api/rest/agents", "X-A: \x00"), 400, ""},
		{"bare CR in a header", get("/api/rest/agents", "X-A: a\rb"), 400, ""},
		{"huge header", get("/api/rest/agents", "X-A: "+strings.Repeat("a", 200_000)), 431, ""},
		{"many headers", get("/api/rest/agents", slices.Repeat([]string{"X-A: 12345678901234567890"}, 5000)...), 431, ""},
		{"long address", get("/api/rest/agents/" + strings.Repeat("a", 200_000)), 431, ""},
		{"longish address", get("/api/rest/agents/"+strings.Repeat("a", 30_000), "$KEY"), 422, "invalid_fields"},
		{"longish query", get("/api/rest/agents?cursor="+strings.Repeat("a", 30_000), "$KEY"), 422, "invalid_fields"},
		{"many parameters", get("/api/rest/calls?"+strings.Repeat("x=1&", 9000), "$KEY"), 422, "invalid_fields"},
		{"broken escape", get("/api/rest/agents/%zz", "$KEY"), 400, ""},
		{"broken escape in the query", get("/api/rest/agents?limit=%zz", "$KEY"), 422, "invalid_fields"},
		{"semicolon in the query", get("/api/rest/agents?a;b", "$KEY"), 422, "invalid_fields"},
		{"asterisk", lines("OPTIONS * HTTP/1.1", host, "Connection: close"), 200, "-"},
		{"whole address", get("http://elsewhere.example/api/rest/agents/agt_x", "$KEY"), 404, "not_found"},
		{"CONNECT", lines("CONNECT evil.example:443 HTTP/1.1", host, "Connection: close"), 405, ""},
		{"TRACE", lines("TRACE /api/rest/agents HTTP/1.1", host, "$KEY", "X-Secret: "+planted, "Connection: close"), 405, "method_not_allowed"},
		{"unknown method", lines("BREW /api/rest/agents HTTP/1.1", host, "$KEY", "Connection: close"), 405, "method_not_allowed"},
		{"lower case method", lines("get /api/rest/agents HTTP/1.1", host, "$KEY", "Connection: close"), 405, "method_not_allowed"},
		{"dots", get("/api/rest/agents/../datasets", "$KEY"), 404, "not_found"},
		{"escaped dots", get("/api/rest/agents/%2e%2e/datasets", "$KEY"), 404, "not_found"},
		{"escaped slash", get("/api/rest%2fagents", "$KEY"), 404, "not_found"},
		{"out of the key's reach", get("/api/rest/../rest/agents"), 401, "unauthenticated"},
		{"out of the key's reach, escaped", get("/api/%2e%2e/api/rest/agents"), 404, ""},
		{"doubled slashes", get("//api/rest/agents"), 404, ""},
		{"upper case", get("/API/REST/agents"), 404, ""},
		{"files", get("/../../../../etc/passwd"), 404, ""},
		{"slash at the end", get("/api/rest/agents/", "$KEY"), 404, "not_found"},
		{"no key", get("/api/rest/agents"), 401, "unauthenticated"},
		{"two keys", get("/api/rest/agents", "$KEY", "$KEY"), 401, "unauthenticated"},
		{"key in the query", get("/api/rest/agents?api_key=" + planted), 401, "unauthenticated"},
		{"wrong scheme", get("/api/rest/agents", "Authorization: Basic eDp5"), 401, "unauthenticated"},
		{"a key of nobody", get("/api/rest/agents", "Authorization: Bearer rt_000000000000_"+strings.Repeat("0", 64)), 401, "unauthenticated"},
		{"a huge key", get("/api/rest/agents", "Authorization: Bearer "+strings.Repeat(planted, 3000)), 401, "unauthenticated"},
		{"form", post(run, "Content-Type: application/x-www-form-urlencoded", length) + runBody, 415, "unsupported_media_type"},
		{"multipart", post(run, "Content-Type: multipart/form-data; boundary=x", length) + runBody, 415, "unsupported_media_type"},
		{"broken media type", post(run, "Content-Type: ;;;", length) + runBody, 415, "unsupported_media_type"},
		{"other charset", post(run, "Content-Type: application/json; charset=utf-16", length) + runBody, 415, "unsupported_media_type"},
		{"compressed", post(run, json, "Content-Encoding: gzip", length) + runBody, 415, "unsupported_media_type"},
		{"compressed call log", post("/v2/call-logs", json, "Content-Encoding: br", length) + runBody, 415, "unsupported_media_type"},
		{"compressed import", post("/datasets/ds_x/import", json, "Content-Encoding: deflate", length) + runBody, 415, "unsupported_media_type"},
		{"unknown agent", post(run, json, length) + runBody, 404, "not_found"},
	}
}

func TestRequestsThatBreakHTTP(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.untouched(t, func() {
		for _, c := range httpCases() {
			a, err := r.raw(t, c.request)
			switch {
			case err != nil && c.status != 0:
				t.Errorf("%s: %v", c.name, err)
			case err != nil || c.status == 0:
			case c.code == "":
				if a.status != c.status {
					t.Errorf("%s: got %d %.200q, want %d", c.name, a.status, a.body, c.status)
				}
			case c.code == "-":
				if a.status != c.status {
					t.Errorf("%s: got %d, want %d", c.name, a.status, c.status)
				}
			default:
				p := r.refused(t, c.name, a, c.status, c.code)
				plain(t, c.name, p)
				if c.status == 405 && a.header.Get("Allow") == "" {
					t.Errorf("%s: Allow is missing", c.name)
				}
				if c.status == 401 && a.header.Get("WWW-Authenticate") == "" {
					t.Errorf("%s: WWW-Authenticate is missing", c.name)
				}
			}
			if bytes.Contains(a.body, []byte(planted)) && c.code != "" {
				t.Errorf("%s: the refusal repeats what was sent: %s", c.name, a.body)
			}
		}
	})
}

// A client may ask before it sends a body, send requests in a row without
// waiting, and hang up in the middle; all that is HTTP.
func TestManners(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.untouched(t, func() {
		head := lines("POST /api/rest/voice-agent/agt_x/run HTTP/1.1", "Host: x", "$KEY", "Content-Type: application/json",
			fmt.Sprintf("Content-Length: %d", len(runBody)), "Expect: 100-continue")
		conn, err := net.Dial("tcp", r.addr)
		must(t, err)
		defer conn.Close()
		must(t, conn.SetDeadline(time.Now().Add(20*time.Second)))
		in := bufio.NewReader(conn)
		fmt.Fprint(conn, strings.ReplaceAll(head, "$KEY", "Authorization: Bearer "+r.mine.key))
		if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
			t.Errorf("%q %v", line, err)
		}
		_, _ = in.ReadString('\n')
		fmt.Fprint(conn, runBody)
		a, err := readAnswer(in)
		must(t, err)
		r.refused(t, "after 100 Continue", a, 404, "not_found")

		// Twenty in a row; each gets its own answer, in order.
		var row strings.Builder
		for i := range 20 {
			fmt.Fprintf(&row, "GET /api/rest/agents/agt_%d HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", i, r.mine.key)
		}
		fmt.Fprint(conn, row.String())
		for i := range 20 {
			a, err := readAnswer(in)
			must(t, err)
			if p := r.refused(t, "in a row", a, 404, "not_found"); !strings.Contains(p.Detail, fmt.Sprintf(`"agt_%d"`, i)) {
				t.Errorf("answer %d is %q", i, p.Detail)
			}
		}
		// A client that asks first and may not come in is told so without its body.
		a, err = r.raw(t, strings.Replace(head, "$KEY", "Authorization: Bearer nothing", 1))
		must(t, err)
		r.refused(t, "without a key", a, 401, "unauthenticated")

		for range 50 { // hanging up in the middle of a body
			conn, err := net.Dial("tcp", r.addr)
			must(t, err)
			fmt.Fprint(conn, strings.ReplaceAll(head, "$KEY", "Authorization: Bearer "+r.mine.key), runBody[:20])
			conn.Close()
		}
	})
}

// A key that was revoked, or whose workspace is another, opens nothing any more.
func TestKeysThatDoNotOpen(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	_, secret, err := r.app.parts.workspaces.CreateKey(t.Context(), r.mine.id, "short-lived")
	must(t, err)
	w := tenant{key: secret}
	if a := r.ask(t, w, "GET", "/agents", nil); a.status != 200 {
		t.Fatalf("the new key got %d", a.status)
	}
	keys, err := r.app.parts.workspaces.Keys(t.Context(), r.mine.id)
	must(t, err)
	i := slices.IndexFunc(keys, func(k workspace.Key) bool { return k.Name == "short-lived" })
	must(t, r.app.parts.workspaces.Revoke(t.Context(), r.mine.id, keys[i].ID))
	open := r.openOperations(t)
	r.untouched(t, func() {
		for name, key := range map[string]string{
			"revoked": secret, "cut": r.mine.key[:len(r.mine.key)-1], "longer": r.mine.key + "0", "upper case": strings.ToUpper(r.mine.key),
			"its prefix": strings.Join(strings.Split(r.mine.key, "_")[:2], "_"), "another's end": r.mine.key[:20] + r.theirs.key[20:], "blank": " ", "empty": "",
		} {
			for id, op := range r.operations(t) {
				// What is no key of ours, a proxy may have added: it keeps nobody from what is open to all.
				if open[id] && !workspace.IsKey(key) {
					continue
				}
				p := r.refused(t, id+" with a key that is "+name, r.ask(t, tenant{key: key}, op[0], op[1], nil), 401, "unauthenticated")
				if p.Hint == "" {
					t.Errorf("%s: no hint", name)
				}
			}
		}
	})
}
