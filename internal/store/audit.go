package store

import (
	"cmp"
	"context"

	"github.com/ringtrue/ringtrue/internal/audit"
)

const auditColumns = "id, workspace_id, at, actor_kind, actor_id, actor_name, action, thing_kind, thing_id, thing_name, address, request_id"

func auditFields(e *audit.Entry) []any {
	return []any{
		&e.ID, &e.WorkspaceID, micros{&e.At}, &e.Actor.Kind, &e.Actor.ID, &e.Actor.Name, &e.Action,
		&e.Thing.Kind, &e.Thing.ID, &e.Thing.Name, &e.Address, &e.RequestID,
	}
}

// AuditEntries implements audit.Store.
func (s *Store) AuditEntries(ctx context.Context, workspaceID string, limit int, cursor string) (list []audit.Entry, err error) {
	err = s.Read(ctx, func(tx *Tx) error {
		var where conditions
		where.add("workspace_id = ?", workspaceID)
		tail := where.page(limit, cursor)
		list, err = all(ctx, tx, auditFields, `SELECT `+auditColumns+` FROM audit_log`+tail, where.args...)
		return err
	})
	return list, err
}

// keepAudit writes the entry of the request, when it has one that is not on
// disk yet and the transaction has changed something. kept says that it did.
func (tx *Tx) keepAudit(ctx context.Context) (kept bool, err error) {
	e, ok := audit.Pending(ctx)
	if !ok || tx.changed == 0 {
		return false, nil
	}
	e.ID, e.At = NewID(audit.Prefix), tx.store.now()
	if tx.makes != "" {
		e.Thing.ID, e.Thing.Kind = tx.makes, cmp.Or(tx.makesKind, e.Thing.Kind)
	}
	return true, tx.insert(ctx, "audit_log", auditColumns, auditFields(&e))
}
