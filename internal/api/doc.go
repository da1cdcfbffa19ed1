// Package api is the REST interface: its operations, their wire types, who may
// do what, and the event stream. It holds no logic of its own: it reads a
// request, asks one service and shows the answer. What all operations have in
// common is package rest.
//
// Below it stand the services, such as experiment, calllog, catalog, archive,
// monitor, review and workspace, which it sees through the small interfaces
// declared beside the operations that use them; package app hands them in
// through Options, and package client is the other end. One file holds one
// resource; routes.go lists them.
package api
