package media

import (
	"context"
	"net"
	"path/filepath"
	"testing"
	"time"
)

// TestAServerThatDoesNotComeUpKeepsNoPorts checks that a server that cannot start, and one that is not waited for, leave
// their ports to the next.
func TestAServerThatDoesNotComeUpKeepsNoPorts(t *testing.T) {
	for name, fail := range map[string]func(t *testing.T, p plan) (context.Context, func()){
		"it is late": func(t *testing.T, _ plan) (context.Context, func()) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			return ctx, func() {}
		},
		"its TCP port is taken": func(t *testing.T, p plan) (context.Context, func()) {
			other, err := net.ListenTCP("tcp", &net.TCPAddr{IP: p.bind.AsSlice(), Port: p.port})
			if err != nil {
				t.Fatal(err)
			}
			return t.Context(), func() { _ = other.Close() }
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := EmbedOptions{KeyFile: filepath.Join(t.TempDir(), "media.key")}
			p, err := o.plan()
			if err != nil {
				t.Fatal(err)
			}
			ctx, leave := fail(t, p)
			if _, err := start(ctx, p); err == nil {
				t.Fatal("it came up")
			}
			leave()
			o.Port, o.UDPPort = p.port, p.udp
			look := time.NewTicker(10 * time.Millisecond)
			defer look.Stop()
			for limit := time.Now().Add(startPatience); ; <-look.C {
				if err = PortsFree(o); err == nil {
					return
				}
				if time.Now().After(limit) {
					t.Fatalf("its ports are not free: %v", err)
				}
			}
		})
	}
}
