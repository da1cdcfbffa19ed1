-- +goose Up

-- Stages are those of answered calls: where calls have any, all hours are to be counted anew.
INSERT INTO monitor_marks (id, workspace_id, origin, hour)
    SELECT 'mark_' || lower(hex(randomblob(16))), workspace_id, origin, at / 3600000000 * 3600000000
    FROM monitor_facts
    WHERE workspace_id IN (SELECT workspace_id FROM monitor_texts WHERE kind = 'stage')
    GROUP BY workspace_id, origin, at / 3600000000;
