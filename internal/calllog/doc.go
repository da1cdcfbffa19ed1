// Package calllog takes in records of finished calls as clients submit them:
// it validates, normalises per platform, and links a test call to the agent's
// own record of it. Its child calllog/custom reads the custom provider's
// payload; package store keeps what was accepted before package api answers.
package calllog
