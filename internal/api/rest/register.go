package rest

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Register adds an operation. Everything an operation has in common with the
// others is put on here: who may ask, the audit log, error answers, the size cap. The
// handler returns plain errors; a *problem.Error is shown, any other becomes
// "internal" and is logged.
func Register[I, O any](s *Server, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	mustBeRead(reflect.TypeFor[I]())
	op.Security = []map[string][]string{{securityName: {}}, {cookieName: {}}}
	may := s.rules.Access(&op)
	op.Description = strings.TrimSpace(op.Description + " " + may.told())
	switch {
	case may.Open:
		op.Security = []map[string][]string{{}, {cookieName: {}}}
	case may.Person:
		op.Security = []map[string][]string{{cookieName: {}}}
	}
	if op.MaxBodyBytes == 0 {
		op.MaxBodyBytes = s.MaxBody + 1 // the library refuses a body that reaches the cap
	}
	op.BodyReadTimeout = bodyTimeout
	before := huma.Middlewares{s.allowed(&op, may), s.sized(op.MaxBodyBytes)}
	if kind := s.rules.Changes(&op); kind != "" {
		before = append(before, audited(&op, kind))
	}
	op.Middlewares = append(before, op.Middlewares...)
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{}
	}
	s.describeErrors(&op)
	described := map[string]*huma.MediaType{}
	if op.RequestBody != nil {
		maps.Copy(described, op.RequestBody.Content)
	}
	huma.Register(s.API, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(ctx, in)
		if err != nil {
			return nil, s.shown(ctx, inQuery(op.Method, err))
		}
		return out, nil
	})
	if op.RequestBody != nil { // the library takes a body that it does not read for bytes
		maps.Copy(op.RequestBody.Content, described)
	}
}

// sized refuses a body that says itself that it is too large, before any of it
// is read: its client may be waiting to hear so.
func (s *Server) sized(limit int64) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		if n, err := strconv.ParseInt(ctx.Header("Content-Length"), 10, 64); err == nil && n >= limit {
			_ = huma.WriteErr(s.API, ctx, http.StatusRequestEntityTooLarge, "") // fails when the client has gone
			return
		}
		if ctx.Method() != http.MethodGet && ctx.Method() != http.MethodHead {
			ctx = &incoming{ctx, aboutOf(ctx.Context())}
		}
		next(ctx)
	}
}

// anyContext lets incoming take over everything, the method Context too.
type anyContext = huma.Context

// incoming is a request whose body may break off: the library takes that for a
// fault of ours.
type incoming struct {
	anyContext
	about *about
}

// BodyReader is the body; it notes when it breaks off.
func (c *incoming) BodyReader() io.Reader { return &noting{c.anyContext.BodyReader(), c.about} }

// SetStatus puts the blame where it belongs.
func (c *incoming) SetStatus(code int) {
	if code == http.StatusInternalServerError && c.about.broken {
		code = http.StatusBadRequest
	}
	c.anyContext.SetStatus(code)
}

type noting struct {
	io.Reader
	about *about
}

// Read implements io.Reader.
func (n *noting) Read(b []byte) (int, error) {
	got, err := n.Reader.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		n.about.broken = true
	}
	return got, err
}

// inQuery writes the fields of a request without a body as what they are:
// parameters of its query.
func inQuery(method string, err error) error {
	p := problem.As(err)
	if method != http.MethodGet || p == nil || len(p.Fields) == 0 {
		return err
	}
	inside := *p
	inside.Fields = slices.Clone(p.Fields)
	for i := range inside.Fields {
		if place := inside.Fields[i].Path; !strings.HasPrefix(place, "query.") && !strings.HasPrefix(place, "header.") {
			inside.Fields[i].Path = "query." + place
		}
	}
	return &inside
}

// mustBeRead stops the program at its start over a mistake that would otherwise
// show as empty parameters: the library passes over embedded types that are
// not exported.
func mustBeRead(input reflect.Type) {
	for f := range input.Fields() {
		if f.Anonymous && !f.IsExported() {
			panic(input.Name() + " embeds " + f.Name + ", which is not exported and would not be read")
		}
	}
}

// bodyTimeout is how long a body may take to arrive.
const bodyTimeout = 30 * time.Second

// The ways to say who asks, as the document names them.
const (
	securityName = "apiKey"
	cookieName   = "session"
)

// shown turns an error into its wire form and logs what must not be shown. A request that the
// service itself broke off is told why, and not what came of it.
func (s *Server) shown(ctx context.Context, err error) *Problem {
	if cause := context.Cause(ctx); problem.Is(cause, problem.Unavailable) {
		err = cause
	}
	p := asProblem(err, RequestIDOf(ctx))
	switch {
	case p.Status < http.StatusInternalServerError || ctx.Err() != nil: // else the client has gone
	case p.Status == http.StatusServiceUnavailable: // what we lean on does not work, and the client was told so
		s.Log.WarnContext(ctx, "request could not be served", "request_id", p.RequestID, "code", p.Code, "error", err)
	default:
		s.Log.ErrorContext(ctx, "request failed", "request_id", p.RequestID, "code", p.Code, "error", err)
	}
	return p
}

// describeErrors puts the error answers that every operation can give into the document.
func (s *Server) describeErrors(op *huma.Operation) {
	schema := s.API.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Problem](), true, "Problem")
	content := map[string]*huma.MediaType{problemType: {Schema: schema}}
	op.Responses["401"] = &huma.Response{Description: "The request has no valid API key and no session of a signed-in person, or what was given to sign in is not valid.", Content: content}
	for status, told := range op.Responses {
		if status >= "400" && told.Content == nil {
			told.Content = content
		}
	}
	op.Responses["default"] = &huma.Response{Description: "Any other problem; its code tells which. A 403 has the code forbidden, a 404 not_found, a 422 invalid_fields.", Content: content}
}

// config is the library's configuration: JSON alone, our errors, our own pages.
func (s *Server) config() huma.Config {
	c := huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title: "Ringtrue", Version: s.Version,
				Description: "Tests voice agents before release and watches them in production. Times are milliseconds since 1970 (UTC), unless they are offsets within a call. Names of fields that end in _ms are milliseconds.",
				License:     &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"},
			},
			Servers: []*huma.Server{{URL: s.PublicURL + BasePath}},
			Components: &huma.Components{
				Schemas: huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer),
				SecuritySchemes: map[string]*huma.SecurityScheme{securityName: {
					Type: "http", Scheme: "bearer", Description: "An API key, sent as Authorization: Bearer API_KEY.",
				}, cookieName: {
					Type: "apiKey", In: "cookie", Name: s.Cookies.Session,
					Description: "The session of a person who is signed in with a browser; the person's role limits what may be done. Requests that change something must come from a page of the service itself.",
				}},
			},
		},
		Formats:                      map[string]huma.Format{"application/json": jsonFormat(), "json": jsonFormat()},
		DefaultFormat:                "application/json",
		RejectUnknownQueryParameters: true,
		Transformers:                 []huma.Transformer{s.transformProblem},
	}
	return c
}

// transformProblem shows the library's own errors in our form.
func (s *Server) transformProblem(ctx huma.Context, _ string, v any) (any, error) {
	if m, ok := v.(*huma.ErrorModel); ok {
		if m.Status == http.StatusInternalServerError && aboutOf(ctx.Context()).broken {
			m.Status, m.Errors = http.StatusBadRequest, []*huma.ErrorDetail{{Location: "body", Message: "broke off before its end"}}
		}
		return fromHuma(m, ctx.Operation(), s.fieldsOf(ctx.Operation()), RequestIDOf(ctx.Context())), nil
	}
	return v, nil
}

// fieldsOf are the names that the body of an operation may have at its top.
func (s *Server) fieldsOf(op *huma.Operation) []string {
	if op == nil || op.RequestBody == nil || op.RequestBody.Content["application/json"] == nil {
		return nil
	}
	schema := op.RequestBody.Content["application/json"].Schema
	if schema != nil && schema.Ref != "" {
		schema = s.API.OpenAPI().Components.Schemas.SchemaFromRef(schema.Ref)
	}
	if schema == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(schema.Properties))
}
