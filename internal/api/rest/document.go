package rest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"net/http"
)

// The paths of the description of the interface, both at the root and under BasePath.
const (
	openAPIPath = "/openapi.json"
	docsPath    = "/docs"
)

//go:embed docs.html
var docsPage string

// serveDocument adds the OpenAPI document and a page that shows it without
// loading anything from elsewhere.
func (s *Server) serveDocument() {
	document, err := json.Marshal(s.API.OpenAPI())
	if err != nil {
		panic(err) // a fault of ours that every start of the program would show
	}
	page := template.Must(template.New("docs").Parse(docsPage))
	serve := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(document)
	}
	var text bytes.Buffer
	if err := page.Execute(&text, s.docs()); err != nil {
		panic(err) // likewise
	}
	docs := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		_, _ = w.Write(text.Bytes()) // it fails when the client has gone
	}
	for _, base := range []string{"", BasePath} {
		s.mux.HandleFunc("GET "+base+openAPIPath, serve)
		s.mux.HandleFunc("GET "+base+docsPath, docs)
	}
}
