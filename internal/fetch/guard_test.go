package fetch_test

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/fetch"
)

func TestNoAddressInsideIsEverCalled(t *testing.T) {
	t.Parallel()
	port, hits := canary(t)
	hosts := names{
		"inside.example": {"127.0.0.1"}, "mapped.example": {"::ffff:127.0.0.1"}, "six.example": {"::1"},
		"mixed.example": {"10.0.0.1", "127.0.0.1", "::1"}, "localhost": {"127.0.0.1"}, "zero.example": {"0.0.0.0", "::"},
		"2130706433": {"127.0.0.1"}, "127.1": {"127.0.0.1"}, "0x7f000001": {"127.0.0.1"}, "0177.0.0.1": {"127.0.0.1"},
		"nat64.example": {"64:ff9b::7f00:1"}, "sixtofour.example": {"2002:7f00:1::"}, "compatible.example": {"::127.0.0.1"},
	}
	c := client(t, hosts)
	for _, host := range []string{
		"127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
		"0.0.0.0", "[::]", "localhost", "LOCALHOST.", "inside.example", "mapped.example", "six.example", "mixed.example", "zero.example",
		"nat64.example", "sixtofour.example", "compatible.example", "inside.example.", "user:pass@inside.example", "[64:ff9b::127.0.0.1]",
		"outside.example@127.0.0.1", "outside.example:80@127.0.0.1", "127.0.0.1.", "[0:0:0:0:0:ffff:7f00:1]", "[::ffff:0:127.0.0.1]", "[2002:7f00:1::]",
	} {
		_, err := c.Get(t.Context(), fetch.Request{URL: "http://" + host + ":" + port + "/x?token=s3cret"})
		want := fetch.Refused
		if oldForm(host) {
			want = fetch.BadAddress
		}
		if r := reason(err); r != want {
			t.Errorf("%s: %v", host, err)
		}
		if err != nil && (strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "pass@")) {
			t.Errorf("%s: the error holds what is secret: %v", host, err)
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("the canary was hit %d times", n)
	}
}

// oldForm reports whether browsers accept a host as an address but name servers do not know it.
func oldForm(host string) bool {
	return slices.Contains([]string{"127.1", "2130706433", "0x7f000001", "0177.0.0.1"}, host)
}

// An invalid host is refused permanently, unlike one whose name server does not know it yet.
func TestWhatIsNoHostIsRefusedForGood(t *testing.T) {
	t.Parallel()
	c := client(t, names{}, "allowed.7")
	for host, want := range map[string]fetch.Reason{
		"127.1": fetch.BadAddress, "0x7f000001": fetch.BadAddress, "0X7F.1": fetch.BadAddress, "127.0.0.01": fetch.BadAddress, "1.0x": fetch.BadAddress, "example.5.": fetch.BadAddress,
		"x1": fetch.Unreachable, "0xg": fetch.Unreachable, "1.example": fetch.Unreachable, "deadbeef": fetch.Unreachable,
		"allowed.7": fetch.Unreachable, "other.7": fetch.BadAddress,
	} {
		_, _, err := c.Bytes(t.Context(), fetch.Request{URL: "http://" + host + "/x", Tries: 1})
		if reason(err) != want {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestWhereARedirectLeadsIsCheckedToo(t *testing.T) {
	t.Parallel()
	canaryPort, hits := canary(t)
	for _, to := range []string{
		"http://127.0.0.1:%s/", "http://[::1]:%s/", "//localhost:%s/", "http://inside.example:%s/", "http://[::ffff:127.0.0.1]:%s/",
		"https://127.0.0.1:%s/", "http://2130706433:%s/",
	} {
		for _, code := range []int{301, 302, 303, 307, 308} {
			port := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", fmt.Sprintf(to, canaryPort))
				w.WriteHeader(code)
			})
			c := client(t, names{"open.example": {"127.0.0.1"}, "inside.example": {"127.0.0.1"}, "localhost": {"127.0.0.1"}, "2130706433": {"127.0.0.1"}}, "open.example")
			if _, err := c.Get(t.Context(), fetch.Request{URL: "http://open.example:" + port}); reason(err) != fetch.Refused && (reason(err) != fetch.BadAddress || !strings.Contains(to, "2130706433")) {
				t.Errorf("%d to %s: %v", code, to, err)
			}
		}
	}
	for _, to := range []string{"file:///etc/passwd", "gopher://127.0.0.1:" + canaryPort, "ftp://x/", "javascript:1", ""} {
		port := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
		})
		if _, err := client(t, nil, "127.0.0.1").Get(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port}); reason(err) != fetch.Redirects {
			t.Errorf("to %q: %v", to, err)
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("the canary was hit %d times", n)
	}
}

// A public address of this machine leads to services that may trust it.
func TestThisMachineIsNotCalledAtItsPublicAddress(t *testing.T) {
	t.Parallel()
	own := []netip.Addr{netip.MustParseAddr("93.184.215.14"), netip.MustParseAddr("2600:1406::1")}
	c := build(t, fetch.Options{
		Own:    func() []netip.Addr { return own },
		Lookup: names{"four.example": {"93.184.215.14"}, "mapped.example": {"::ffff:93.184.215.14"}, "six.example": {"2600:1406::1"}}.lookup,
	})
	for _, address := range []string{"http://four.example/", "http://mapped.example/", "http://six.example/", "http://93.184.215.14/", "http://[2600:1406::1]/"} {
		if _, _, err := c.Bytes(t.Context(), fetch.Request{URL: address, Timeout: time.Second, Tries: 1}); reason(err) != fetch.Refused {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// A name that resolves to an outside address when checked and to an inside one when dialled does
// not get through.
func TestRebindingDoesNotHelp(t *testing.T) {
	t.Parallel()
	port, hits := canary(t)
	asked := 0
	c := build(t, fetch.Options{Lookup: func(context.Context, string) ([]netip.Addr, error) {
		if asked++; asked == 1 {
			return []netip.Addr{netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("127.0.0.1")}, nil
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}})
	for range 3 {
		if _, err := c.Get(t.Context(), fetch.Request{URL: "http://rebind.example:" + port}); reason(err) != fetch.Refused {
			t.Errorf("%v", err)
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("the canary was hit %d times", n)
	}
}

func TestAnOperatorAllowsHostsAndNetworks(t *testing.T) {
	t.Parallel()
	port := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("here")) })
	hosts := names{"files.inner.example": {"127.0.0.1"}, "inner.example": {"127.0.0.1"}, "other.example": {"127.0.0.1"}, "xn--bcher-kva.example": {"127.0.0.1"}, "a.xn--bcher-kva.example": {"127.0.0.1"}}
	for _, x := range []struct {
		allow, host string
		works       bool
	}{
		{"files.inner.example", "files.inner.example", true},
		{"FILES.inner.example.", "files.inner.example", true},
		{".inner.example", "files.inner.example", true},
		{".inner.example", "inner.example", false},
		{"files.inner.example", "other.example", false},
		{"bücher.example", "bücher.example", true},
		{"Bücher.example", "xn--bcher-kva.example", true},
		{"xn--bcher-kva.example", "bücher.example", true},
		{".bücher.example", "a.bücher.example", true},
		{"127.0.0.0/8", "other.example", true},
		{"127.0.0.1", "127.0.0.1", true},
		{"127.0.0.2", "127.0.0.1", false},
		{"::ffff:127.0.0.1", "other.example", true},
		{"10.0.0.0/8", "127.0.0.1", false},
	} {
		b, _, err := client(t, hosts, x.allow).Bytes(t.Context(), fetch.Request{URL: "http://" + x.host + ":" + port})
		if works := err == nil && string(b) == "here"; works != x.works {
			t.Errorf("%s with %s allowed: %q %v", x.host, x.allow, b, err)
		}
	}
	for _, bad := range []string{"", "http://x", "a b", "10.0.0.0/99", "x:80", "*.x"} {
		if _, err := fetch.New(fetch.Options{Allow: []string{bad}}); err == nil {
			t.Errorf("%q was taken for something to allow", bad)
		}
	}
}

// odd returns addresses whose host some programs read as outside and others as inside. However it
// is read, nothing inside may be called.
func odd(port string) []string {
	var out []string
	for _, host := range []string{
		"127。0。0。1", "127．0．0．1", "127｡0｡0｡1", "１２７.0.0.1", "①②⑦.0.0.1", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "localhost%2e", "127.0.0.1%00.outside.example", "127%2e0%2e0%2e1",
		"127.0.0.1#@outside.example", "127.0.0.1?@outside.example", "127.0.0.1\\@outside.example", "outside.example\\@127.0.0.1", "outside.example#@127.0.0.1",
		"127.0.0.1%20", "127.0.0.1%09", "127.000.000.001", "0127.0.0.1", "0x7f.0x0.0x0.0x1", "017700000001", "0x7f.1", "127.0.1", "0", "00000000", "0x0", "[::]", "[::1%25lo]",
		"[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1%25lo]", "[::127.0.0.1]", "[127.0.0.1]", "[::ffff:0x7f000001]", "127.0.0.1,outside.example", "127.0.0.1;outside.example", "user@127.0.0.1@outside.example",
	} {
		out = append(out, "http://"+host+":"+port+"/x", "http://"+host+"/x", "https://"+host+":"+port+"/x")
	}
	for _, whole := range []string{
		"file:///etc/passwd", "file://127.0.0.1/etc/passwd", "gopher://127.0.0.1:PORT/_x", "dict://127.0.0.1:PORT/x", "ftp://127.0.0.1:PORT/", "ldap://127.0.0.1:PORT/", "tftp://127.0.0.1:PORT/x",
		"unix:///var/run/docker.sock", "http+unix://%2Fvar%2Frun%2Fdocker.sock/x", "http:///127.0.0.1:PORT/x", "http:/127.0.0.1:PORT/x", "http:127.0.0.1:PORT/x", "//127.0.0.1:PORT/x", "127.0.0.1:PORT/x",
		"http:\\\\127.0.0.1:PORT\\x", "jar:http://127.0.0.1:PORT/x!/", "view-source:http://127.0.0.1:PORT/", "http://127.0.0.1:0PORT/x", "http://127.0.0.1:+PORT/x", "http://127.0.0.1:PORT%20/x", "ws://127.0.0.1:PORT/x",
		" http://127.0.0.1:PORT/x", "http://127.0.0.1:PORT/x ", "\thttp://127.0.0.1:PORT/x", "ht\ntp://127.0.0.1:PORT/x", "http://127.0.0.1:PORT\r\nX-Evil: 1/x", "URL=http://127.0.0.1:PORT/x", "<http://127.0.0.1:PORT/x>",
	} {
		out = append(out, strings.ReplaceAll(whole, "PORT", port))
	}
	return out
}

// TestOddAddresses tries addresses that can be read in two ways. Every name resolves to an inside
// address, as it may if the attacker runs the name server.
func TestOddAddresses(t *testing.T) {
	t.Parallel()
	port, hits := canary(t)
	everywhere := func(_ context.Context, host string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("::1")}, nil
	}
	c := build(t, fetch.Options{Lookup: everywhere})
	for _, address := range odd(port) {
		body, err := c.Get(t.Context(), fetch.Request{URL: address, Tries: 1})
		if err == nil {
			_ = body.Close()
		}
		if r := reason(err); r != fetch.Refused && r != fetch.BadAddress {
			t.Errorf("%q: %v", address, err)
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("the canary was hit %d times", n)
	}
}

// The system's resolver also resolves odd names to this machine.
func TestTheSystemsResolverIsNotTrusted(t *testing.T) {
	t.Parallel()
	port, hits := canary(t)
	c := build(t, fetch.Options{})
	for _, host := range []string{"localhost", "localhost.", "LocalHost", "ip6-localhost", "127.1", "0x7f000001", "0"} {
		if _, err := c.Get(t.Context(), fetch.Request{URL: "http://" + host + ":" + port, Tries: 1, Timeout: 3 * time.Second}); err == nil {
			t.Errorf("%s was called", host)
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("the canary was hit %d times", n)
	}
}

func TestAddressesThatAreNone(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"", "x", "//host/x", "http://", "http:///x", "https://:80/", "file:///etc/passwd", "ftp://host/x", "http://host:0/", "http://host:99999/", "http://host:/",
		"http://ho st/", "http:host", "http://[::1", "http://[fe80::1%25eth0]/", "javascript:alert(1)", "data:,x", "http://a%00b/", "http://\x00/", "http://host/" + strings.Repeat("x", 9000),
	} {
		if _, err := fetch.Parse(bad); reason(err) != fetch.BadAddress {
			t.Errorf("%.40q: %v", bad, err)
		}
	}
	for _, good := range []string{"http://host", "HTTPS://Host:8443/x?y=z#w", "http://user:pass@host/", "http://1.2.3.4/", "http://[2606:4700::1]:80/", "http://пример.example/x"} {
		if _, err := fetch.Parse(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
}

func FuzzHostsStayInside(f *testing.F) {
	f.Add("files.example", ".example")
	f.Add("a.b", "b")
	f.Fuzz(func(t *testing.T, host, pattern string) {
		if !fetch.Matches(pattern, host) {
			return
		}
		h, p := strings.TrimSuffix(strings.ToLower(host), "."), strings.TrimSuffix(strings.ToLower(pattern), ".")
		if h != p && !(strings.HasPrefix(p, ".") && strings.HasSuffix(h, p) && len(h) > len(p)) {
			t.Errorf("%q matches %q", host, pattern)
		}
	})
}
