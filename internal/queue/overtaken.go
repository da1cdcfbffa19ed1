package queue

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
)

// overtakenDriver is River's driver for PostgreSQL for processes that may be overtaken: one that stood still gives a job
// back as done in the moment in which another frees it. PostgreSQL then changes nothing and shows the row as it was before,
// under way, of which River holds that it cannot be, and ends the process.
type overtakenDriver struct{ riverdriver.Driver[pgx.Tx] }

func newOvertakenDriver(pool *pgxpool.Pool) overtakenDriver {
	return overtakenDriver{riverpgxv5.New(pool)}
}

// GetExecutor implements riverdriver.Driver.
func (d overtakenDriver) GetExecutor() riverdriver.Executor {
	return overtakenExecutor{d.Driver.GetExecutor()}
}

type overtakenExecutor struct{ riverdriver.Executor }

// JobSetStateIfRunningMany implements riverdriver.Executor. Of jobs that are no longer this process's, or not yet again
// anybody's, it tells nothing, as of those that are gone.
func (e overtakenExecutor) JobSetStateIfRunningMany(ctx context.Context, params *riverdriver.JobSetStateIfRunningManyParams) ([]*rivertype.JobRow, error) {
	rows, err := e.Executor.JobSetStateIfRunningMany(ctx, params)
	return slices.DeleteFunc(rows, func(row *rivertype.JobRow) bool {
		return row != nil && (row.State == rivertype.JobStateRunning || row.State == rivertype.JobStatePending)
	}), err
}
