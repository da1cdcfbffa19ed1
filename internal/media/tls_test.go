package media_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/livekit/protocol/livekit"
	"github.com/pion/webrtc/v4"
	"google.golang.org/protobuf/proto"

	"github.com/ringtrue/ringtrue/internal/media"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// certify writes a certificate for localhost and returns a pool that trusts it.
func certify(t *testing.T, cert, key string, serial int64) *x509.CertPool {
	t.Helper()
	pair, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour),
		DNSNames: []string{"*.example.org", "localhost"}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &pair.PublicKey, pair)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(pair)
	if err != nil {
		t.Fatal(err)
	}
	for path, block := range map[string]*pem.Block{
		cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "EC PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trust := x509.NewCertPool()
	trust.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	return trust
}

func TestTLS(t *testing.T) {
	folder := t.TempDir()
	cert, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	trust := certify(t, cert, key, 1)
	var s *media.Server
	var knocks []string
	o := media.EmbedOptions{
		KeyFile: filepath.Join(folder, "keys"), CertFile: cert, CertKeyFile: key,
		Knock: func(ctx context.Context, room string) error {
			knocks = append(knocks, room)
			if room == media.Prefix+"late" {
				if err := s.Open(ctx, media.Room{Name: room, EmptyFor: time.Minute}); err != nil {
					t.Error(err)
				}
			}
			if room == media.Prefix+"doubtful" || room == media.Prefix+"tls" {
				return errors.New("the database is away")
			}
			return nil
		},
	}
	s, err := media.Embed(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { s.Stop(context.Background()) }()
	if !strings.HasPrefix(s.URL(), "wss://localhost:") || !strings.HasPrefix(s.Address(), "ws://127.0.0.1:") {
		t.Fatalf("agents are told %s, our caller joins at %s", s.URL(), s.Address())
	}
	room := media.Room{Name: media.Prefix + "tls", EmptyFor: time.Minute}
	if err := s.Open(t.Context(), room); err != nil {
		t.Fatal(err)
	}
	token, err := s.AgentToken(room.Name, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if got := signIn(t, s, trust, token); got.GetJoin().GetRoom().GetName() != room.Name {
		t.Errorf("joining over TLS gives %v", got)
	}
	late, err := s.AgentToken(media.Prefix+"late", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if got := signIn(t, s, trust, late); got.GetJoin().GetRoom().GetName() != media.Prefix+"late" {
		t.Errorf("joining a room that is opened for whoever knocks gives %v", got)
	}
	if got := signInRefused(t, s, trust, late[:len(late)-4]+"AAAA"); got.StatusCode != http.StatusUnauthorized {
		t.Errorf("a forged token gives %s", got.Status)
	}
	for _, one := range []struct {
		room, after string
		status      int
	}{{"doubtful", "2", http.StatusServiceUnavailable}, {"never", "", http.StatusNotFound}} {
		token, err := s.AgentToken(media.Prefix+one.room, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		got := signInRefused(t, s, trust, token)
		if after := got.Header.Get("Retry-After"); got.StatusCode != one.status || after != one.after {
			t.Errorf("a %s room gives %s, Retry-After %q", one.room, got.Status, after)
		}
		got = signInByPost(t, s, trust, token)
		if after := got.Header.Get("Retry-After"); got.StatusCode != one.status || after != one.after {
			t.Errorf("a %s room gives %s, Retry-After %q to whoever joins it by WHIP", one.room, got.Status, after)
		}
	}
	if got := signInByPost(t, s, trust, late); got.StatusCode != http.StatusCreated {
		t.Errorf("joining a room that is there by WHIP gives %s", got.Status)
	}
	want := []string{room.Name, "late", "doubtful", "doubtful", "never", "never", "late"}
	for i := range want[1:] {
		want[i+1] = media.Prefix + want[i+1]
	}
	if !slices.Equal(knocks, want) {
		t.Errorf("it was told of %v, want %v", knocks, want)
	}
	trust = certify(t, cert, key, 2)
	later := time.Now().Add(time.Minute) // later than the resolution of any file's timestamp
	if err := os.Chtimes(cert, later, later); err != nil {
		t.Fatal(err)
	}
	signIn(t, s, trust, token) // the new certificate is used
	if err := os.WriteFile(cert, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	signIn(t, s, trust, token) // and is kept while another is being written

	o.CertKeyFile = ""
	if err := o.Validate(); !problem.Is(err, problem.InvalidFields) {
		t.Errorf("a certificate without its key gives %v", err)
	}
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if conn, err := tls.Dial("tcp", strings.TrimPrefix(s.URL(), "wss://"), nil); err == nil {
		conn.Close()
		t.Error("the port is still open")
	}
}

// signInRefused tries to join a room and returns the refusal.
func signInRefused(t *testing.T, s *media.Server, trust *x509.CertPool, token string) *http.Response {
	t.Helper()
	dialer := websocket.Dialer{TLSClientConfig: &tls.Config{RootCAs: trust}, HandshakeTimeout: 30 * time.Second}
	conn, answer, err := dialer.DialContext(t.Context(), s.URL()+"/rtc?protocol=16", http.Header{"Authorization": {"Bearer " + token}})
	if err == nil {
		conn.Close()
		t.Fatal("whoever should not is let in")
	}
	if answer == nil {
		t.Fatal(err)
	}
	return answer
}

// signInByPost joins a room through WHIP and returns the response.
func signInByPost(t *testing.T, s *media.Server, trust *x509.CertPool, token string) *http.Response {
	t.Helper()
	peer, err := webrtc.NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	if _, err := peer.AddTransceiverFromKind(webrtc.RTPCodecTypeAudio); err != nil {
		t.Fatal(err)
	}
	offer, err := peer.CreateOffer(nil)
	if err != nil {
		t.Fatal(err)
	}
	url := "https" + strings.TrimPrefix(s.URL(), "wss") + "/whip/v1"
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(offer.SDP))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/sdp"}}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trust}}}
	defer client.CloseIdleConnections()
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer
}

// signIn begins to join over TLS and returns the server's first message.
func signIn(t *testing.T, s *media.Server, trust *x509.CertPool, token string) *livekit.SignalResponse {
	t.Helper()
	dialer := websocket.Dialer{TLSClientConfig: &tls.Config{RootCAs: trust}, HandshakeTimeout: 30 * time.Second}
	conn, answer, err := dialer.DialContext(t.Context(), s.URL()+"/rtc?protocol=16", http.Header{"Authorization": {"Bearer " + token}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	answer.Body.Close()
	conn.SetReadDeadline(time.Now().Add(30 * time.Second))
	_, text, err := conn.ReadMessage()
	if err != nil {
		t.Fatal(err)
	}
	word := &livekit.SignalResponse{}
	if err := proto.Unmarshal(text, word); err != nil {
		t.Fatal(err)
	}
	return word
}

// TestACertificateThatNobodyTrustsIsNamed checks that an untrusted certificate of an external media
// server is named: that server does answer.
func TestACertificateThatNobodyTrustsIsNamed(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewUnstartedServer(http.NotFoundHandler())
	elsewhere.Config.ErrorLog = log.New(io.Discard, "", 0) // it logs that its certificate is not trusted
	elsewhere.StartTLS()
	t.Cleanup(elsewhere.Close)
	s, err := media.Connect(media.ConnectOptions{
		URL: "wss" + strings.TrimPrefix(elsewhere.URL, "https"), Key: "key", Secret: strings.Repeat("secret", 8),
	})
	if err != nil {
		t.Fatal(err)
	}
	said := problem.As(s.Check(t.Context()))
	if said.Code != problem.Unavailable || !strings.Contains(said.Message, "certificate") || !strings.Contains(said.Hint, "SSL_CERT_FILE") {
		t.Errorf("it is said: %q, %q (%s)", said.Message, said.Hint, said.Code)
	}
}
