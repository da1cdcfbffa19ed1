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

// certificate is a pair of PEM files that is read again when one of them changes.
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

// current returns the current certificate. It keeps the old one if the new files cannot be read.
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

// changed returns the later of the modification times of the two files.
func (c *certificate) changed() time.Time {
	var last time.Time
	for _, name := range []string{c.file, c.keyFile} {
		if info, err := os.Stat(name); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

// host returns the first name in the certificate that can be dialled, "" if there is none.
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
