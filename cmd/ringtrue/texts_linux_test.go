package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Old archives hold names in older encodings: what has such a name is found, too. (Other systems
// than Linux refuse to make it.)
func TestNamesThatAreNoUTF8(t *testing.T) {
	t.Parallel()
	var datasets []string
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Name string }
		if r.Method == http.MethodPost && json.NewDecoder(r.Body).Decode(&asked) == nil && asked.Name != "" {
			datasets = append(datasets, asked.Name)
			http.Error(w, `{"code":"conflict","detail":"enough"}`, http.StatusConflict)
			return
		}
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusAccepted)
		}
		_, _ = w.Write([]byte(`{"data":[]}`)) // the test sees when it does not arrive
	}))
	t.Cleanup(service.Close)
	folder := filepath.Join(t.TempDir(), "d\xe9p\xf4t")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	records := file("caf\xe9.json", `{"provider":"custom","payload":{"call_id":"c-1"}}`)
	to := []string{"--key=rt_secret", "--url=" + service.URL}
	for _, named := range []string{records, folder} {
		if code, _, problems := ringtrue(t, append([]string{"import", named}, to...)...); code != exitOK {
			t.Errorf("import %q: exit code %d, %s", named, code, problems)
		}
	}
	for _, name := range []string{"r\xe9sum\xe9.yaml", "r\xe8sum\xe8.yaml"} {
		ringtrue(t, append([]string{"run", file(name, goodScript), "--agent=agt_1", "--to=+15550123"}, to...)...)
	}
	if want := []string{"r%E9sum%E9", "r%E8sum%E8"}; !slices.Equal(datasets, want) {
		t.Errorf("the datasets are called %q, want %q", datasets, want)
	}
	data := filepath.Join(folder, "data\xff")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if code, _, problems := ringtrue(t, "keys", "create", "--data", data); code != exitOK {
		t.Errorf("keys create: exit code %d, %s", code, problems)
	}
	if _, err := os.Stat(filepath.Join(data, "ringtrue.db")); err != nil {
		t.Error(err)
	}
	file("settings\xff.json", `{"log_level": "loud"}`)
	if _, _, problems := ringtrue(t, "version", "--config="+filepath.Join(folder, "settings\xff.json")); !strings.Contains(problems, "loud") {
		t.Errorf("--config was not read: %s", problems)
	}
}

// What stands in the file of --config and is no text is refused as before.
func TestANumberWhereATextBelongs(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, []byte(`{"log_level": 7}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, problems := ringtrue(t, "version", "--config="+file); code != exitUsage || !strings.Contains(problems, "--log-level") {
		t.Errorf("exit code %d, %s", code, problems)
	}
}
