package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"

	"github.com/alecthomas/kong"
)

// asGiven has the texts of the command line and of the environment taken byte for byte. The
// parser's own way leads through JSON, which puts another character in the place of each byte that
// is no UTF-8: files whose names hold such were looked for under names that nothing has.
func asGiven() kong.Option {
	return kong.OptionFunc(func(k *kong.Kong) error {
		for _, o := range []kong.Option{
			kong.KindMapper(reflect.String, kong.MapperFunc(givenText)),
			kong.NamedMapper("path", kong.MapperFunc(givenPath)),
			kong.NamedMapper("existingfile", kong.MapperFunc(givenFile)),
		} {
			if err := o.Apply(k); err != nil {
				return err
			}
		}
		return nil
	})
}

func givenText(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("string")
	if err != nil {
		return err
	}
	if text, ok := token.Value.(string); ok {
		target.SetString(text)
		return nil
	}
	// In the file of --config something else than a text may stand; the parser has the words for it.
	return ctx.Scan.PushToken(token).PopValueInto("string", target.Addr().Interface())
}

// givenPath is the absolute path of what is named. An empty name is that of a variable that was not
// set, in a script or a unit, and must not stand for the folder in which the command happens to run.
func givenPath(ctx *kong.DecodeContext, target reflect.Value) error {
	if err := givenText(ctx, target); err != nil {
		return err
	}
	if target.String() == "" {
		return errors.New("is empty; name one, or leave it out for the default")
	}
	target.SetString(kong.ExpandPath(target.String()))
	return nil
}

// givenFile is the absolute path of a file that is there.
func givenFile(ctx *kong.DecodeContext, target reflect.Value) error {
	if err := givenPath(ctx, target); err != nil {
		return err
	}
	info, err := os.Stat(target.String())
	if err != nil {
		return err
	}
	if info.IsDir() {
		return fmt.Errorf("%q exists but is a directory", target.String())
	}
	return nil
}
