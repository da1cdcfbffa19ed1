package room

import (
	"reflect"
	"sync"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/server-sdk-go/v2"
)

// guarded is a room of the client library as its own connection is to see it: what somebody else sends, and the library
// could not take, is put right before.
type guarded struct {
	*lksdk.Room

	// streams is held while a text stream begins or ends. What is sent comes by two channels, each with a thread of its
	// own, and the library writes down the end of a stream with nothing held: of one that was ended on both at once the
	// process ended, and every call in it.
	streams sync.Mutex
}

// OnStreamHeader takes the beginning of a text stream. The library writes what comes at the end of one into what stood at
// its beginning, and where nothing stood there the process ended, and every call in it. Of two that bear one name
// it forgets the first, which would be read for ever.
func (g *guarded) OnStreamHeader(begun *livekit.DataStream_Header, from string) {
	g.streams.Lock()
	defer g.streams.Unlock()
	g.Room.OnStreamTrailer(&livekit.DataStream_Trailer{StreamId: begun.GetStreamId()})
	if begun.Attributes == nil {
		begun.Attributes = map[string]string{}
	}
	g.Room.OnStreamHeader(begun, from)
}

// OnStreamTrailer takes the end of a text stream.
func (g *guarded) OnStreamTrailer(ended *livekit.DataStream_Trailer) {
	g.streams.Lock()
	defer g.streams.Unlock()
	g.Room.OnStreamTrailer(ended)
}

// guard puts the guard between a room and its connection, before there is one (see ADR 38). The library has no place for it: where a
// newer one calls these fields otherwise, the first test that joins a room says so.
func guard(r *lksdk.Room) {
	told := reflect.ValueOf(r).Elem().FieldByName("engine").Elem().FieldByName("engineHandler")
	reflect.NewAt(told.Type(), told.Addr().UnsafePointer()).Elem().Set(reflect.ValueOf(&guarded{Room: r}))
}
