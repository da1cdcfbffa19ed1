package workspace

import "slices"

// Identity is in whose name a request is made: that of a secret key or that of
// a person who is signed in.
type Identity struct {
	// WorkspaceID is "" for a person who is in no workspace.
	WorkspaceID string
	// KeyID and KeyName are those of the key, "" for a person.
	KeyID   string
	KeyName string
	// PersonID and PersonName are those of the person, "" for a key.
	PersonID   string
	PersonName string
	// Session is the digest of the token that the person's browser holds.
	Session string
	// Role is what may be done in the workspace, "" for nothing.
	Role Role
}

// Who is the id and the name of the person or the key.
func (i Identity) Who() (id, name string) {
	if i.PersonID != "" {
		return i.PersonID, i.PersonName
	}
	return i.KeyID, i.KeyName
}

// Role is what somebody may do in a workspace. Each may do what those before it may.
type Role string

// The roles.
const (
	Viewer Role = "viewer" // reads
	Member Role = "member" // creates, changes and runs
	Admin  Role = "admin"  // keys, members, credentials, dimensions, the audit log
	Owner  Role = "owner"  // everything, owners too
)

// Roles lists the roles from the least to the most.
func Roles() []Role { return []Role{Viewer, Member, Admin, Owner} }

// AtLeast reports whether the role may do all that least may. What is no role may do nothing.
func (r Role) AtLeast(least Role) bool {
	have, want := slices.Index(Roles(), r), slices.Index(Roles(), least)
	return have >= 0 && want >= 0 && have >= want
}
