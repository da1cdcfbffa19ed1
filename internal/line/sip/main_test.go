package sip

import (
	"flag"
	"os"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/telephone"
)

// TestMain runs more tests at a time than there are processors, because calls in real time mostly
// wait. A media loop runs throughout, so that the kernel timestamps arriving packets from the
// beginning, as for a service.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	media := telephone.NewMedia(telephone.MediaOptions{Now: time.Now})
	code := m.Run()
	media.Close()
	os.Exit(code)
}
