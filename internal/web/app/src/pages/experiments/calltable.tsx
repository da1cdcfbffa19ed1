import { NativeSelect } from "@mantine/core";
import { useMemo } from "react";
import { Empty } from "../../parts/empty";
import { count, duration, plain, short } from "../../parts/format";
import { useChange, useGo } from "../../parts/go";
import { RowLink } from "../../parts/rowlink";
import { type Column, DataTable } from "../../parts/table";
import { Outcome } from "../../parts/verdict";
import { shownOf, type Scenario, type Shown, Verdicts } from "./results";
import { experimentRoute, type ResultSearch } from "./routes";

/** CallTable lists the calls of an experiment, each with its verdict and why. */
export function CallTable({ scenarios }: { scenarios: Scenario[] }) {
  const { verdict, sort } = experimentRoute.useSearch();
  const change = useChange<ResultSearch>();
  const go = useGo();
  const all = useMemo(() => shownOf(scenarios), [scenarios]);
  const rows = useMemo(() => all.filter(({ call }) => !verdict || call.verdict === verdict), [all, verdict]);
  return (
    <>
      <NativeSelect
        size="xs" mb="xs" w="fit-content" aria-label="Verdict" value={verdict ?? ""} onChange={(event) => change({ verdict: event.currentTarget.value || undefined }, true)}
        data={[{ value: "", label: all.length === 1 ? "The one call" : `All ${count(all.length)} calls` }, ...Verdicts.map((value) => ({ value, label: `${plain(value)} (${count(all.filter(({ call }) => call.verdict === value).length)})` }))]}
      />
      <DataTable
        label="Calls" columns={columns} rows={rows} rowKey={({ call }) => call.id} open={({ call }) => void go({ to: "/calls/$id", params: { id: call.id } })}
        empty={<Empty title="No call matches" />} sorting={{ by: sort, change: (by) => change({ sort: by }, true) }}
      />
    </>
  );
}

const Why = { minWidth: 200 };

const columns: Column<Shown>[] = [
  {
    key: "scenario", header: "Scenario", min: 130, value: ({ scenario }) => scenario.title,
    cell: ({ scenario, call }) => (
      <RowLink to="/calls/$id" params={{ id: call.id }}>
        {scenario.title}
        {scenario.calls.length > 1 && ` (repetition ${call.repetition})`}
      </RowLink>
    ),
  },
  { key: "verdict", header: "Verdict", width: 130, value: ({ call }) => call.verdict, cell: ({ call }) => <Outcome verdict={call.verdict} status={call.status} /> },
  {
    key: "why", header: "Why",
    cell: ({ call }) => (
      <div className="rt-words" style={Why}>
        {call.verdict_reason}
      </div>
    ),
  },
  { key: "end", header: "Ended", width: 150, value: ({ call }) => call.end_reason, cell: ({ call }) => plain(call.end_reason) },
  { key: "latency", header: "Latency p50", numeric: true, width: 110, value: ({ call }) => call.turn_latency_ms, cell: ({ call }) => short(call.turn_latency_ms) },
  { key: "length", header: "Length", numeric: true, width: 90, value: ({ call }) => call.duration_ms, cell: ({ call }) => duration(call.duration_ms) },
];
