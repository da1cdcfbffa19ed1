package media

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"
	"strings"
	"sync"
	"time"
)

// certificate is a pair of PEM files, read again when one of them changes.
type certificate struct {
	file, keyFile string

	mu   sync.Mutex
	read time.Time
	pair *tls.Certificate
}

func readCertificate(file, keyFile string) (*certificate, error) {
	if file == "" || keyFile == "" {
		return nil, errors.New("--media-cert and --media-cert-key belong together")
	}
	c := &certificate{file: file, keyFile: keyFile}
	_, err := c.current(nil)
	return c, err
}

// current is the pair as it is now. While new files cannot be read, the old pair stays.
func (c *certificate) current(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	changed := c.changed()
	if c.pair != nil && changed.Equal(c.read) {
		return c.pair, nil
	}
	pair, err := tls.LoadX509KeyPair(c.file, c.keyFile)
	if err != nil {
		if c.pair != nil {
			return c.pair, nil
		}
		return nil, err
	}
	c.pair, c.read = &pair, changed
	return c.pair, nil
}

// changed is when either file was written last.
func (c *certificate) changed() time.Time {
	var last time.Time
	for _, name := range []string{c.file, c.keyFile} {
		if info, err := os.Stat(name); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

// host is the first name that the certificate is for and that can be called, or "".
func (c *certificate) host() string {
	leaf := c.pair.Leaf
	if leaf == nil {
		parsed, err := x509.ParseCertificate(c.pair.Certificate[0])
		if err != nil {
			return ""
		}
		leaf = parsed
	}
	for _, name := range leaf.DNSNames {
		if !strings.Contains(name, "*") {
			return name
		}
	}
	return ""
}
