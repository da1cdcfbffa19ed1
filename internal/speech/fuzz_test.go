package speech

import (
	"strings"
	"testing"
)

func FuzzWordsOfARecogniser(f *testing.F) {
	for _, s := range []string{
		"part0 1 0.1 0.4 hello 0.99\npart1 1 0.5 0.1 to(2) 1\npart1 1 0.6 0.7 <sil> 1\n", "part0 1 NaN Inf a 1\n", "part0 1 1e300 1e301 a 0\n",
		"part0 1 -1 2 a 3", "part2 1 0 1 a 1", "part-1 1 0 1 a 1", "part 1 2 3 a 1", "part0 1 2 1 [NOISE] 1", "((((", "part0 1 2 -1 a 1",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range parseWords(s, 2) {
			w := p.word
			if p.part < 0 || p.part > 1 || w.Text == "" || w.Start < 0 || w.End < w.Start || strings.ContainsAny(w.Text, " \n<") {
				t.Errorf("%q gave %+v", s, w)
			}
		}
		_ = hypotheses([]byte(s))
	})
}

func FuzzSpokenWords(f *testing.F) {
	for _, s := range []string{"Dr. Lee, 10:30 a.m.", "$1,234.56", "99999999999999999999", "24:60", "1st 22nd 0th", "a7b8", "...", "it's 'quoted'", "\xff\xfe", "10am."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, sentence := range sentences(s) {
			for _, w := range sentence {
				if w == "" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz'") != "" {
					t.Errorf("%q gave the word %q", s, w)
				}
			}
		}
	})
}

func FuzzGrammarWords(f *testing.F) {
	for _, s := range []string{"#JSGF V1.0;\npublic <a> = yes | <b> {tag};", "<<>>", "{", ">", "// yes\nno", "grammar x;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for w := range grammarWords(s) {
			if w == "" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz'") != "" {
				t.Errorf("%q gave the word %q", s, w)
			}
		}
	})
}

func FuzzStream(f *testing.F) {
	for _, s := range []string{
		"data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n",
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-1}]}}]}\n", "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":99}]}}]}\n",
		"{\"choices\":[{\"message\":null}]}", ": comment\n\nevent: x\ndata:\n", "data: {", "data: {\"error\":{\"message\":\"x\"}}\n", "{\"usage\":{\"prompt_tokens\":-5}}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := ""
		st := &stream{end: &endpoint{}, onText: func(piece string) { text += piece }}
		err := st.read(strings.NewReader(s))
		if got := st.result(); err == nil && got.Content != text {
			t.Errorf("%q gave %q, heard %q", s, got.Content, text)
		}
		if st.end.prompt.Load() < 0 || st.end.answered.Load() < 0 || len(st.result().ToolCalls) > maxToolCalls {
			t.Errorf("%q counted %+v", s, st.end.usage())
		}
	})
}
