package api

// Services are the ports of the resources that are listed in routes; each
// interface is declared in the file of its resource.
type Services struct {
	Agents   Agents
	Datasets Datasets
	Items    Items
	Prompts  Prompts
	Scorers  Scorers
	Calls    Calls
	Reviews  Reviews

	// Results, Previews and Drafts work on what experiments and calls have found out.
	Results  Results
	Previews Previews
	Drafts   Drafts
	Views    Views
	Prices   Prices
	Trunks   Trunks

	Monitoring Monitoring
	Dimensions Dimensions
	// Credentials and Platforms: secrets for elsewhere, and the agents that live there.
	Credentials Credentials
	Platforms   Platforms

	// Sessions and Entrances: people at browsers; both or neither.
	Sessions   Sessions
	Entrances  Entrances
	Members    Members
	Workspaces Workspaces
	KeyRing    KeyRing
	AuditLog   AuditLog
	// OIDC is nil when people sign in with passwords alone.
	OIDC OIDC
}

// routes registers the operations of every resource. A new resource adds its
// file and one line here.
func (s *server) routes() {
	s.runRoutes()
	s.roomRoutes()
	s.trunkRoutes()
	s.priceRoutes()
	s.experimentRoutes()
	s.resultRoutes()
	s.callLogRoutes()
	s.eventRoutes()
	s.agentRoutes()
	s.datasetRoutes()
	s.itemRoutes()
	s.fromCallsRoutes()
	s.promptRoutes()
	s.scorerRoutes()
	s.previewRoutes()
	s.callRoutes()
	s.viewRoutes()
	s.reviewRoutes()
	s.monitoringRoutes()
	s.credentialRoutes()
	s.sessionRoutes()
	s.oidcRoutes()
	s.memberRoutes()
	s.workspaceRoutes()
	s.keyRoutes()
	s.auditRoutes()
}
