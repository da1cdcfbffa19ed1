package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/ringtrue/ringtrue"

// source is what the test reads of one package.
type source struct {
	imports []string // import paths of non-test files
	docs    []string // package doc comments
}

// load reads every package below internal/ and client/, by path from the root.
func load(t *testing.T, root string) map[string]*source {
	t.Helper()
	packages := map[string]*source{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if packages[name] == nil {
			packages[name] = &source{}
		}
		packages[name].add(parsed)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

func (s *source) add(f *ast.File) {
	for _, spec := range f.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			s.imports = append(s.imports, p)
		}
	}
	if f.Doc != nil {
		s.docs = append(s.docs, f.Doc.Text())
	}
}

func TestPackagesLookStrictlyDown(t *testing.T) {
	t.Parallel()
	tier := tiers()
	for name, src := range load(t, "../internal") {
		own, listed := tier[name]
		if !listed {
			t.Errorf("internal/%s is not listed in tiers_test.go", name)
			continue
		}
		for _, imported := range src.imports {
			below, ours := strings.CutPrefix(imported, module+"/internal/")
			switch {
			case ours && (strings.HasPrefix(name, below+"/") || standsOn(name, below)): // a child may import its parent
			case ours && tier[below] >= own:
				t.Errorf("internal/%s (tier %d) imports internal/%s (tier %d)", name, own, below, tier[below])
			case own == 0 && strings.Contains(strings.Split(imported, "/")[0], "."):
				t.Errorf("internal/%s is tier 0 and imports %s: tier 0 knows the standard library alone", name, imported)
			}
		}
	}
}

// standsOn says that two packages are of one house, the second on a lower storey.
func standsOn(name, below string) bool {
	for _, house := range storeys() {

		at := slices.IndexFunc(house, func(storey []string) bool { return slices.Contains(storey, name) })
		under := slices.IndexFunc(house, func(storey []string) bool { return slices.Contains(storey, below) })
		if at >= 0 && under >= 0 {
			return under < at
		}
	}
	return false
}

func TestEveryPackageOfAHouseStandsOnAStorey(t *testing.T) {
	t.Parallel()
	packages := load(t, "../internal")
	for house, storeys := range storeys() {
		placed := slices.Concat(storeys...)
		for name := range packages {
			if (name == house || strings.HasPrefix(name, house+"/")) && !slices.Contains(placed, name) {
				t.Errorf("internal/%s stands on no storey of its house", name)
			}
		}
		for i, name := range placed {
			if packages[name] == nil || slices.Contains(placed[:i], name) {
				t.Errorf("internal/%s is not there, or stands on two storeys", name)
			}
		}
	}
}

func TestPartsStayInTheirHouse(t *testing.T) {
	t.Parallel()
	for name, src := range load(t, "../internal") {
		for _, imported := range src.imports {
			below, ours := strings.CutPrefix(imported, module+"/internal/")
			house, _, _ := strings.Cut(below, "/")
			if ours && slices.Contains(parts(), below) && name != house && !strings.HasPrefix(name, house+"/") {
				t.Errorf("internal/%s imports internal/%s, which is a part of %s", name, below, house)
			}
		}
	}
}

func TestOnlyAppBuildsConcreteThings(t *testing.T) {
	t.Parallel()
	allowed := mayBuild()
	for name, src := range load(t, "../internal") {
		for _, imported := range src.imports {
			below, ours := strings.CutPrefix(imported, module+"/internal/")
			if !ours || name == "app" || !slices.Contains(concrete(), below) {
				continue
			}
			child := strings.HasPrefix(name, below+"/") || path.Dir(name) == path.Dir(below) && path.Dir(name) != "."
			if !child && !slices.Contains(allowed[below], name) {
				t.Errorf("internal/%s imports internal/%s: only app builds concrete things", name, below)
			}
		}
	}
}

func TestEachPackageSaysWhatItIsFor(t *testing.T) {
	t.Parallel()
	for name, src := range load(t, "../internal") {
		if len(src.docs) != 1 {
			t.Errorf("internal/%s has %d package comments, want one", name, len(src.docs))
			continue
		}
		if len(strings.Fields(src.docs[0])) < 20 {
			t.Errorf("internal/%s: the package comment is too short to name its job and its neighbours", name)
		}
	}
}

// The package map names every package but those that serve tests, and its tier.
func TestTheReadmeShowsEveryPackage(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	tier := tiers()
	for name := range load(t, "../internal") {
		if strings.HasSuffix(name, "test") || name == "line/sip/foreign" {
			continue
		}
		row := fmt.Sprintf("\n\\| %d \\|[^|]*`%s`[^|]*\\|", tier[name], name)
		if !regexp.MustCompile(row).Match(readme) {
			t.Errorf("the README's package map does not show internal/%s in tier %d", name, tier[name])
		}
	}
}

func TestClientImportsTheStandardLibraryAlone(t *testing.T) {
	t.Parallel()
	for name, src := range load(t, "../client") {
		for _, imported := range src.imports {
			if strings.Contains(strings.Split(imported, "/")[0], ".") {
				t.Errorf("client/%s imports %s", name, imported)
			}
		}
	}
}
