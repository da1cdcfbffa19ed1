package sip

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets more tests run at a time than there are processors: calls in
// real time mostly wait.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
