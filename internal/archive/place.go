package archive

import (
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/page"
)

// Place is where in a list of calls a call stands: when it took place, and its
// id. A page goes on behind the place of the last call of the page before, so a
// call that moves in the meantime moves no other.
type Place struct {
	Begun time.Time
	ID    string
}

func placeOf(c *call.Call) Place { return Place{c.Begun(), c.ID} }

// maxCursor bounds a cursor, in bytes.
const maxCursor = 96

// cursor is the place as clients hand it back, in microseconds since 1970.
func (p Place) cursor() string { return strconv.FormatInt(p.Begun.UnixMicro(), 10) + "." + p.ID }

// placeAt reads a cursor; "" is the start of the list.
func placeAt(cursor string) (p Place, ok bool) {
	if cursor == "" {
		return Place{}, true
	}
	at, id, _ := strings.Cut(cursor, ".")
	begun, err := strconv.ParseInt(at, 10, 64)
	if err != nil || len(cursor) > maxCursor || !page.IsID("call", id) {
		return Place{}, false
	}
	return Place{time.UnixMicro(begun), id}, true
}
