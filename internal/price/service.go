package price

import "context"

// Store gives transactions. Write commits when f returns nil.
type Store interface {
	Write(ctx context.Context, f func(Tx) error) error
	Read(ctx context.Context, f func(Tx) error) error
}

// Tx is a transaction as this package sees it.
type Tx interface {
	// PricesOf are the zero Prices where none are set.
	PricesOf(ctx context.Context, workspaceID string) (Prices, error)
	SavePrices(ctx context.Context, workspaceID string, p Prices) error
}

// Service keeps the prices of workspaces.
type Service struct{ store Store }

// New returns a Service.
func New(s Store) *Service { return &Service{s} }

// Prices are those of a workspace, in the standard currency when none are set.
func (s *Service) Prices(ctx context.Context, workspaceID string) (p Prices, err error) {
	err = s.store.Read(ctx, func(tx Tx) error {
		p, err = tx.PricesOf(ctx, workspaceID)
		return err
	})
	if p.Currency == "" {
		p.Currency = Standard
	}
	return p, err
}

// Set puts prices in the place of those that were.
func (s *Service) Set(ctx context.Context, workspaceID string, p Prices) error {
	if err := p.Validate(); err != nil {
		return err
	}
	return s.store.Write(ctx, func(tx Tx) error { return tx.SavePrices(ctx, workspaceID, p) })
}
