// Package api is the REST interface: operations, their wire types, the OpenAPI
// document, errors as problem+json, authentication and the event stream. It
// holds no logic of its own: it reads a request, asks one service and shows
// the answer.
//
// Below it stand experiment, calllog, catalog, archive and workspace, which it
// sees through the small interfaces declared beside the operations that use
// them; package app hands them in through Options, and package client is the
// other end. One file holds one resource; routes.go lists them.
package api
