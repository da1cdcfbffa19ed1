package api

// Services are the ports of the resources that are listed in routes; each
// interface is declared in the file of its resource.
type Services struct {
}

// routes registers the operations of every resource. A new resource adds its
// file and one line here.
func (s *server) routes() {
	s.runRoutes()
	s.experimentRoutes()
	s.callLogRoutes()
	s.eventRoutes()
}
