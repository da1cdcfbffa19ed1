package emotion

import (
	"strings"
	"testing"
)

// readAs returns the words and marks of a text, separated by spaces.
func readAs(text string) string {
	var x tokens
	x.cut(text)
	var out []string
	for _, k := range x.all {
		out = append(out, string(x.of(k)))
	}
	return strings.Join(out, " ")
}

// Keyboards and web pages have various apostrophes. "don´t" was read as "don" and "t", which
// negated nothing.
func TestApostrophesOfAllKinds(t *testing.T) {
	t.Parallel()
	const want = "it hasnt come and i dont know why"
	m := model(t)
	plain := m.Words("It hasn't come and I don't know why")
	for _, mark := range []string{"'", "’", "‘", "´", "`", "ʼ", "＇", "&#39;", "&#039;", "&#x27;", "&apos;", "&rsquo;", "&#8217;"} {
		text := strings.ReplaceAll("It hasn't come and I don't know why", "'", mark)
		if got := readAs(text); got != want {
			t.Errorf("%q is read as %q", text, got)
		}
		if got := m.Words(text); got != plain {
			t.Errorf("%q comes to something else than with an apostrophe", text)
		}
	}
	if got := readAs("Tom &amp; I said &quot;no&quot;&nbsp;`twice´ &#39;so&#39; &amp so on"); got != "tom i said no twice so amp so on" {
		t.Errorf("read as %q", got)
	}
}

// Links and labels contain the characters of smileys, but whoever sends a link is not sad.
func TestLinksAndLabelsAreNoSmileys(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"see https://example.com/a and http://b.example": "see https example com a and http b example",
		"Ref:D123, batch:P7, name:[NAME]":                "ref d123 batch p7 name [name]",
		"options:(a) or (b), either:/or":                 "options a or b either or",
		"great:) ok:( fine :D :P :/ hm=) :-( :(why":      "great :) ok :( fine :) :) :( :) :( :( why",
		"so sad:(": "so sad :(",
	} {
		if got := readAs(text); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}
