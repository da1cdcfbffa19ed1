package app_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/ringtrue/ringtrue/internal/app"
)

func TestOpenAPIDocumentIsUpToDate(t *testing.T) {
	t.Parallel()
	want, err := app.OpenAPI("dev")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.TrimSpace(got), bytes.TrimSpace(want)) {
		t.Error("docs/openapi.json does not say what the interface does: run `make generate`")
	}
}
