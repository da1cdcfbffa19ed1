package speech

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Finding is the result of one check made by Check.
type Finding struct {
	// Name is what was checked ("flite", "pocketsphinx", …).
	Name string
	OK   bool
	// Needed is false for what only some scenarios need.
	Needed bool
	// Detail says what was found, Hint how to fix a problem.
	Detail, Hint string
}

// ModelFinding is the name of the finding about the language model, which is needed if one is
// configured and something is to be played or judged by it.
const ModelFinding = "language model"

// Check tries the chosen engines and reports what works. It takes under a second with the local
// programs, and requests the list of models from an HTTP endpoint once, which costs no money.
func (e *Engines) Check(ctx context.Context) []Finding {
	var out []Finding
	there := e.knockOnce(ctx)
	if e.opts.TTS == Local {
		_, err := e.mouth.Say(ctx, scenario.Persona{}, "", "Hello.")
		out = append(out, finding("flite", true, "speaks", err))
		_, err = e.programs.find("espeak-ng")
		out = append(out, finding("espeak-ng", false, "is installed, for British and Caribbean accents", err))
	} else {
		out = append(out, there("speech synthesis", e.mouth.Engine()+" over HTTP"))
	}
	if e.sphinx != nil {
		out = append(out, finding("pocketsphinx", true, "is installed (self-test grade: for synthetic voices only)", e.sphinx.check()))
	} else {
		name, _ := e.transcriber.Engine()
		out = append(out, there("speech recognition", name+" over HTTP"))
	}
	if e.model != nil {
		return append(out, there(ModelFinding, e.model.Name()))
	}
	return append(out, Finding{Name: ModelFinding, Detail: "none is configured", Hint: "Needed only for items without a script and for judges."})
}

// knockOnce returns a function that makes findings about whether the endpoint is reachable. The
// endpoint is asked once, on the first call; what is the beginning of the finding's detail.
func (e *Engines) knockOnce(ctx context.Context) func(name, what string) Finding {
	ask := sync.OnceValues(func() (string, error) { return e.http.knock(ctx) })
	return func(name, what string) Finding {
		said, err := ask()
		f := finding(name, true, what+": the endpoint answers"+said, err)
		if err != nil {
			f.Detail = what + ": " + f.Detail
		}
		return f
	}
}

func (s *sphinx) check() error {
	for _, name := range []string{sphinxProgram, batchProgram} {
		if _, err := s.programs.find(name); err != nil {
			return err
		}
	}
	for _, name := range []string{dictionaryFile, filepath.Join("en-us", "mdef"), filepath.Join("en-us", "feat.params")} {
		if _, err := os.Stat(filepath.Join(s.modelDir, name)); err != nil {
			return missingModel(err)
		}
	}
	return nil
}

func finding(name string, needed bool, good string, err error) Finding {
	if err == nil {
		return Finding{Name: name, OK: true, Needed: needed, Detail: good}
	}
	f := Finding{Name: name, Needed: needed, Detail: err.Error()}
	if p := problem.As(err); p != nil {
		f.Detail, f.Hint = p.Message, p.Hint
	}
	return f
}
