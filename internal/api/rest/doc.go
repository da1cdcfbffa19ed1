// Package rest is what all operations of the REST interface have in common:
// who asks and whether they may, the audit log, bounds and forms of what comes
// in, pages and problem+json of what goes out, Idempotency-Keys, the OpenAPI
// document and the pages made of it, and the layers every request passes.
//
// It knows no resource. Package api registers its operations here and says by
// Rules what they take and change; package app serves the whole.
package rest
