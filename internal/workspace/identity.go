package workspace

// Identity is who a secret key belongs to.
type Identity struct {
	WorkspaceID string
	KeyID       string
	KeyName     string
}
