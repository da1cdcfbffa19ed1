package fetch

import (
	"net/url"
	"testing"
)

// Only the default port of a scheme is the same as no port.
func TestSameOrigin(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		a, b string
		same bool
	}{
		{"https://a.example/x", "https://a.example:443/y", true},
		{"http://a.example/x", "HTTP://A.example.:80/y", true},
		{"https://a.example:0443/x", "https://a.example", true},
		{"https://a.example:8443", "https://a.example:8443", true},
		{"https://a.example", "https://a.example:80", false},
		{"https://a.example:80", "http://a.example:80", false},
		{"http://a.example:443", "https://a.example", false},
		{"http://a.example", "http://a.example:443", false},
		{"https://a.example", "https://b.a.example", false},
		{"https://a.example", "https://a.example:8443", false},
	} {
		a, errA := url.Parse(x.a)
		b, errB := url.Parse(x.b)
		if errA != nil || errB != nil || sameOrigin(a, b) != x.same || sameOrigin(b, a) != x.same {
			t.Errorf("%s and %s: %v", x.a, x.b, !x.same)
		}
	}
}
