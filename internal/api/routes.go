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

	Monitoring Monitoring
	Dimensions Dimensions
	// Credentials and Platforms: secrets for elsewhere, and the agents that live there.
	Credentials Credentials
	Platforms   Platforms
}

// routes registers the operations of every resource. A new resource adds its
// file and one line here.
func (s *server) routes() {
	s.runRoutes()
	s.roomRoutes()
	s.experimentRoutes()
	s.callLogRoutes()
	s.eventRoutes()
	s.agentRoutes()
	s.datasetRoutes()
	s.itemRoutes()
	s.promptRoutes()
	s.scorerRoutes()
	s.callRoutes()
	s.reviewRoutes()
	s.monitoringRoutes()
	s.credentialRoutes()
}
