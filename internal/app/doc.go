// Package app is the only package that builds concrete things: it opens the
// database and the recordings, starts lines and speech engines, and hands them
// as ports to experiment, review, catalog, archive, calllog and workspace,
// which package api shows and package queue sets to work. Command ringtrue
// turns flags into its Options.
package app
