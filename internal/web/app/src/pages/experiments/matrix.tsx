import { Group, NativeSelect, Text } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useMemo, useRef } from "react";
import { checkName, count, percent, plain } from "../../parts/format";
import { Empty } from "../../parts/empty";
import { useChange } from "../../parts/go";
import { usePaperOf } from "../../parts/paper";
import { RowLink } from "../../parts/rowlink";
import { Spacer } from "../../parts/table";
import { Tips } from "../../parts/tips";
import { Cell } from "./cell";
import classes from "./matrix.module.css";
import { type Results, type Scenario, Verdicts } from "./results";
import { experimentRoute, type ResultSearch } from "./routes";

const RowHeight = 38;

/** Matrix shows every scenario against every scorer. Each mark is one call and leads to the second that shows why. */
export function Matrix({ results }: { results: Results }) {
  const { verdict } = experimentRoute.useSearch();
  const change = useChange<ResultSearch>();
  const { scenarios } = results;
  const rows = useMemo(() => scenarios.filter((scenario) => !verdict || scenario.calls.some((call) => call.verdict === verdict)), [scenarios, verdict]);
  return (
    <>
      <Group mb="xs" gap="xs" justify="space-between">
        <NativeSelect
          size="xs" aria-label="Scenarios" value={verdict ?? ""} onChange={(event) => change({ verdict: event.currentTarget.value || undefined }, true)}
          data={[{ value: "", label: results.scenario_count === 1 ? "The one scenario" : `All ${count(results.scenario_count)} scenarios` }, ...Verdicts.map((value) => ({ value, label: `With a call ${plain(value)}` }))]}
        />
        <Legend />
      </Group>
      {rows.length > 0 ? (
        <Tips>
          <Grid results={results} rows={rows} />
        </Tips>
      ) : (
        <Empty title="No scenario matches" />
      )}
    </>
  );
}

function Legend() {
  return (
    <Text size="xs" c="dimmed">
      ✓ passed, ✕ failed, – void, ○ not evaluated, · open; * does not decide the verdict
    </Text>
  );
}

function Grid({ results, rows }: { results: Results; rows: Scenario[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => frame.current, estimateSize: () => RowHeight, overscan: usePaperOf(frame) ? rows.length : 8 });
  const shown = virtual.getVirtualItems();
  const scorers = results.scorers;
  const before = shown[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  const { dataset_id: dataset, dataset_version: version } = results.voice_experiment;
  return (
    <div ref={frame} className={`rt-panel ${classes.frame}`} tabIndex={0} role="region" aria-label="Scenarios and scorers">
      <table className={classes.table} aria-label="Scenarios and scorers" aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th scope="col" className={classes.first}>
              Scenario
            </th>
            <th scope="col">Verdict</th>
            {scorers.map((scorer) => (
              <th key={scorer.name} scope="col">
                <span
                  className={classes.scorer} tabIndex={0}
                  data-tip={`${checkName(scorer.name)}${scorer.version ? `, version ${scorer.version}` : ""}: ${scorer.pass_rate.passed} of ${scorer.pass_rate.evaluated} passed`}
                >
                  {checkName(scorer.name)}
                  {!scorer.required && "*"}
                </span>
                <span className={classes.rate}>{percent(scorer.pass_rate.value)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={before} columns={scorers.length + 2} />
          {shown.map(({ index }) => {
            const row = rows[index];
            return row && <Row key={row.dataset_item_id} row={row} at={index} dataset={dataset} version={version} scorers={scorers} measure={virtual.measureElement} />;
          })}
          <Spacer height={after} columns={scorers.length + 2} />
        </tbody>
      </table>
    </div>
  );
}

type Scorer = Results["scorers"][number];

interface RowProps {
  row: Scenario;
  at: number;
  dataset: string;
  version: number;
  scorers: Scorer[];
  measure: (element: Element | null) => void;
}

/** Row is a scenario. It is memoised, so that scrolling renders only rows that come into view. */
const Row = memo(function Row({ row, at, dataset, version, scorers, measure }: RowProps) {
  const calls = row.calls;
  return (
    <tr ref={measure} data-index={at} aria-rowindex={at + 2}>
      <th scope="row" className={classes.first} title={row.title}>
        <RowLink to="/datasets/$id" params={{ id: dataset }} search={{ item: row.dataset_item_id, version }}>
          {row.title}
        </RowLink>
      </th>
      <td>
        <Cell scorer="Verdict" marks={calls.map((call) => ({ call, verdict: call.verdict, reason: call.verdict_reason, at: null }))} />
      </td>
      {scorers.map((scorer, i) => (
        <td key={scorer.name}>
          <Cell
            scorer={checkName(scorer.name)}
            marks={calls.flatMap((call) => {
              const score = call.scores[i];
              return score ? [{ call, verdict: score.verdict, reason: score.reason, at: score.at_ms, value: score.value, unit: score.unit }] : [];
            })}
          />
        </td>
      ))}
    </tr>
  );
});
