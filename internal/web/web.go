// Package web serves the web app: the files that the folder app builds into
// dist, embedded in the binary. It knows nothing but files: the app in the
// browser asks package api for everything it shows, and package app mounts both
// side by side. A binary that was built without the app says how to get it.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

//go:embed all:dist
var built embed.FS

// Policy is what the app's pages may do: load scripts, styles and data from
// where they came from, and nothing from anywhere else. Styles are set on
// elements by the components.
const Policy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; " +
	"font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const (
	indexName = "index.html"
	// assets are named by their content, so that they never change.
	assets  = "assets/"
	forever = "public, max-age=31536000, immutable"
)

// Handler serves the app. Its answer to a path that is no file is the page
// itself, which knows what the path shows; a missing asset is 404, and so is
// what no page of the app is like.
func Handler() http.Handler {
	dist, err := fs.Sub(built, "dist")
	if err != nil {
		panic(err) // the name is a valid one
	}
	return New(dist)
}

// New serves the app that was built into a folder.
func New(dist fs.FS) http.Handler { return &files{dist: dist} }

type files struct {
	dist  fs.FS
	ready sync.Map // of *file, by name
}

// file is one file as it is sent.
type file struct {
	plain, packed []byte
	kind, tag     string
}

// ServeHTTP implements http.Handler.
func (f *files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", Policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "this page can only be read", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	found := f.find(name)
	if found == nil && couldBePage(r.URL.Path) {
		name, found = indexName, f.find(indexName)
	}
	switch {
	case found != nil:
		f.send(w, r, name, found)
	case name == indexName:
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Cache-Control", "no-cache")
		_, _ = w.Write([]byte(missing))
	default:
		http.NotFound(w, r)
	}
}

// couldBePage leaves out what is only ever asked for by mistake, or to try doors:
// assets that are gone, paths that are not written plainly, and everything
// beside the interface's own base, whose client would take a page for an answer.
func couldBePage(asked string) bool {
	plain := path.Clean("/" + asked)
	first, _, _ := strings.Cut(plain[1:], "/")
	return (asked == plain || asked == plain+"/") && first != strings.Trim(assets, "/") && !strings.EqualFold(first, "api")
}

func (f *files) send(w http.ResponseWriter, r *http.Request, name string, found *file) {
	h := w.Header()
	h.Set("Content-Type", found.kind)
	h.Set("ETag", found.tag)
	h.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, assets) {
		h.Set("Cache-Control", forever)
	}
	body := found.plain
	if found.packed != nil {
		h.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			body = found.packed
		}
	}
	if r.Header.Get("If-None-Match") == found.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // fails when the browser has gone
	}
}

// find reads and packs a file when it is asked for first; nil when there is none.
func (f *files) find(name string) *file {
	if kept, ok := f.ready.Load(name); ok {
		return kept.(*file) //nolint:forcetypeassert // nothing else is put in
	}
	if name == "" || !fs.ValidPath(name) {
		return nil
	}
	plain, err := fs.ReadFile(f.dist, name)
	if err != nil {
		return nil
	}
	sum := sha256.Sum256(plain)
	made := &file{plain: plain, kind: kindOf(name), tag: `"` + hex.EncodeToString(sum[:12]) + `"`}
	if packed := pack(plain); len(packed) < len(plain)*9/10 {
		made.packed = packed
	}
	kept, _ := f.ready.LoadOrStore(name, made)
	return kept.(*file) //nolint:forcetypeassert // nothing else is put in
}

func pack(plain []byte) []byte {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return plain // the level is a valid one
	}
	_, _ = w.Write(plain) // a buffer takes everything
	_ = w.Close()
	return packed.Bytes()
}

// kindOf is the media type of a file; the types of the machine are not asked,
// so that it is the same everywhere.
func kindOf(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".txt", ".md":
		return "text/plain; charset=utf-8"
	}
	if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
		return kind
	}
	return "application/octet-stream"
}

const missing = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Ringtrue</title>
<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 40em; margin: 4em auto; padding: 0 1em">
<h1>Ringtrue runs</h1>
<p>This binary was built without its web app. <code>make build</code> builds both (it needs Node 20.19 or newer).</p>
<p>The interface is complete without it: <a href="/docs">/docs</a>.</p></body></html>
`
