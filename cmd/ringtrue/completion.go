package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCommand struct {
	Shell string   `arg:"" enum:"bash,zsh,fish" help:"Your shell: bash, zsh or fish."`
	Words []string `arg:"" optional:"" hidden:"" help:"For the script itself: list what may follow these words of a command line."`
}

// Help is the longer part of --help.
func (completionCommand) Help() string {
	return `Add the output to the file that your shell reads when it starts, or load it into a running shell:

  source <(ringtrue completion bash)
  autoload -U compinit && compinit; source <(ringtrue completion zsh)
  ringtrue completion fish | source`
}

// Run prints the completion script. The script only asks this command what may follow the words
// before the cursor.
func (c completionCommand) Run(w *world, parsed *kong.Context) error {
	text := c.script()
	if len(c.Words) > 0 {
		text = strings.Join(following(parsed.Model.Node, c.Words[1:]), "\n")
	}
	_, err := fmt.Fprintln(w.out, text)
	return err
}

// script completes file names where this command has nothing to suggest.
func (c completionCommand) script() string {
	switch c.Shell {
	case "zsh":
		return `#compdef ringtrue
_ringtrue() {
  local -a found
  found=(${(f)"$(ringtrue completion zsh -- "${(@)words[1,CURRENT-1]}" 2>/dev/null)"})
  compadd -- $found || _files
}
compdef _ringtrue ringtrue`
	case "fish":
		return `complete -c ringtrue -a '(ringtrue completion fish -- (commandline -opc) 2>/dev/null)'`
	}
	return `_ringtrue() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$(ringtrue completion bash -- "${COMP_WORDS[@]:0:COMP_CWORD}" 2>/dev/null)" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _ringtrue ringtrue`
}

// following is what may follow the words: commands and flags, or the values of the last flag. It is
// empty where only the person can know.
func following(at *kong.Node, words []string) []string {
	var open *kong.Flag // still needs its value
	for _, word := range words {
		switch {
		case open != nil && word == "=": // by itself, as bash takes --flag=value apart
		case open != nil:
			open = nil
		case strings.HasPrefix(word, "-"):
			open = openFlag(at, word)
		default:
			at = childOf(at, word)
		}
	}
	if open != nil {
		if open.Enum == "" {
			return nil
		}
		return strings.Split(open.Enum, ",")
	}
	return append(commandsOf(at), flagsOf(at)...)
}

// openFlag is the flag of that name if the next word is its value.
func openFlag(at *kong.Node, word string) *kong.Flag {
	for _, group := range at.AllFlags(false) {
		for _, f := range group {
			if "--"+f.Name == word && !f.IsBool() {
				return f
			}
		}
	}
	return nil
}

// childOf is the command of that name, or at itself when the word names none and so is an argument.
func childOf(at *kong.Node, name string) *kong.Node {
	for _, child := range at.Children {
		if child.Name == name && child.Type == kong.CommandNode {
			return child
		}
	}
	return at
}

func commandsOf(at *kong.Node) (names []string) {
	for _, child := range at.Children {
		if child.Type == kong.CommandNode && !child.Hidden {
			names = append(names, child.Name)
		}
	}
	return names
}

func flagsOf(at *kong.Node) (names []string) {
	for _, group := range at.AllFlags(true) {
		for _, f := range group {
			names = append(names, "--"+f.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
