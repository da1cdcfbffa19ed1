package rest

import (
	"mime"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// leastPacked is the length from which an answer is compressed, in bytes: what fits in a packet or
// two gains nothing.
const leastPacked = 2048

// compressed compresses what is read, for clients that take it: results of a large experiment are
// a megabyte, a tenth of it compressed. What is written is answered shortly, and an answer that
// repeats a secret is never compressed beside what somebody else chose. Event streams have to
// leave as they are written.
func compressed(next http.Handler) http.Handler {
	pack, err := gzhttp.NewWrapper(
		gzhttp.MinSize(leastPacked), gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.EnableZstd(false), gzhttp.ContentTypeFilter(packs),
	)
	if err != nil {
		panic(err) // the options are constants
	}
	packed := pack(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || strings.HasSuffix(r.URL.Path, "/events") {
			next.ServeHTTP(w, r)
			return
		}
		packed(w, r)
	})
}

// packs reports whether answers of a media type become shorter: recordings do not.
func packs(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && (strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "xml"))
}
