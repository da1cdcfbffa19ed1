package main

import (
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/client"
)

func TestEvidenceStandsWhereItIs(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	printScore(&out, client.Score{Name: "books", Required: true, Reason: "no", Evidence: []client.Evidence{
		{Turn: new(2), StartMS: 1500, EndMS: 2500, Quote: "Friday"},
		{Turn: new(2), StartMS: 1500, EndMS: 1500, Quote: "Friday"},
		{Turn: new(2), StartMS: -1, EndMS: -1, Quote: "Friday"},
		{StartMS: -1, EndMS: -1, Quote: "book({})"},
	}})
	const want = "  books: no\n    at 1.5-2.5 s “Friday”\n    at 1.5 s “Friday”\n    in turn 2 “Friday”\n    “book({})”\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
