import { Group, Text } from "@mantine/core";
import type { Schemas } from "../../api/client";
import { checkName, plain, Unknown } from "../../parts/format";
import { Go } from "../../parts/go";
import type { Column } from "../../parts/table";
import { Mark, Verdict } from "../../parts/verdict";
import { Change } from "./change";
import { PassRate } from "./passrate";
import { RateShift, Shift } from "./shift";
import { measure } from "./units";

/** changedColumns show calls whose verdict is another now, both side by side. */
export const changedColumns: Column<Schemas["VerdictChange"]>[] = [
  { key: "change", header: "Change", width: 100, cell: (call) => <Change change={call.change} /> },
  { key: "title", header: "Scenario", min: 170, cell: (call) => `${call.title}${call.repetition > 1 ? ` (repetition ${call.repetition})` : ""}` },
  { key: "from", header: "Base", cell: (call) => <Side id={call.base_call_id} verdict={call.from} which="before" /> },
  { key: "to", header: "Other", cell: (call) => <Side id={call.with_call_id} verdict={call.to} which="after" /> },
];

function Side({ id, verdict, which }: { id: string; verdict: string; which: string }) {
  return (
    <Group gap={8} wrap="nowrap">
      <Verdict verdict={verdict} />
      <Go to="/calls/$id" params={{ id }} label={`listen to the call ${which}: ${plain(verdict)}`}>
        listen
      </Go>
    </Group>
  );
}

/** scenarioColumns show scenarios in both experiments. */
export const scenarioColumns: Column<Schemas["ScenarioCompared"]>[] = [
  { key: "change", header: "Change", width: 100, cell: (row) => <Change change={row.change} /> },
  {
    key: "title", header: "Scenario", min: 170,
    cell: (row) => (
      <Group gap={6} wrap="nowrap">
        <span className="rt-words">{row.title}</span>
        {row.edited && <Mark tone="void" label="edited" title="The scenario itself was changed in between" />}
      </Group>
    ),
  },
  { key: "base", header: "Base", cell: (row) => <Counted counts={row.base} calls={row.base_call_ids} /> },
  { key: "with", header: "Other", cell: (row) => <Counted counts={row.with} calls={row.with_call_ids} /> },
  { key: "difference", header: "Difference", cell: (row) => <Shift shift={row.difference} unit="ratio" /> },
];

function Counted({ counts, calls: ids }: { counts: Schemas["VerdictCounts"]; calls: string[] }) {
  if (ids.length === 0) return <>{Unknown}</>;
  const rest = [counts.void && `${counts.void} void`, counts.not_evaluated && `${counts.not_evaluated} not evaluated`, counts.open && `${counts.open} open`].filter(Boolean).join(", ");
  return (
    <Group gap={8}>
      <span style={{ whiteSpace: "nowrap" }}>
        {counts.passed} of {counts.passed + counts.failed} passed
        {rest && (
          <Text span size="xs" c="dimmed">
            {" "}
            ({rest})
          </Text>
        )}
      </span>
      {ids.slice(0, 3).map((id, i) => (
        <Go key={id} to="/calls/$id" params={{ id }}>
          call {i + 1}
        </Go>
      ))}
    </Group>
  );
}

/** scorerColumns show scorers in both experiments. */
export const scorerColumns: Column<Schemas["ScorerCompared"]>[] = [
  { key: "change", header: "Change", width: 100, cell: (row) => <Change change={row.change} title={row.difference.reason} /> },
  { key: "name", header: "Scorer", cell: (row) => `${checkName(row.name)}${versions(row)}` },
  { key: "base", header: "Base", cell: (row) => <PassRate rate={row.base} /> },
  { key: "with", header: "Other", cell: (row) => <PassRate rate={row.with} /> },
  { key: "difference", header: "Difference", cell: (row) => <RateShift rate={row} /> },
];

function versions({ base_version: base, with_version: later }: Schemas["ScorerCompared"]): string {
  if (base == null) return " (only in the other)";
  if (later == null) return " (only in the base)";
  return base === later ? "" : ` (version ${base}, then ${later})`;
}

/** metricColumns show metrics in both experiments. */
export const metricColumns: Column<Schemas["MetricCompared"]>[] = [
  { key: "change", header: "Change", width: 100, cell: (row) => <Change change={row.change} /> },
  {
    key: "name", header: "Metric", min: 170,
    cell: (row) => (
      <>
        {plain(row.name)}
        {row.better && (
          <Text size="xs" c="dimmed">
            {row.better} is better
          </Text>
        )}
      </>
    ),
  },
  { key: "base", header: "Base, median", numeric: true, cell: (row) => measure(row.base.p50.value, row.unit) },
  { key: "with", header: "Other, median", numeric: true, cell: (row) => measure(row.with.p50.value, row.unit) },
  { key: "p50", header: "Difference of medians", cell: (row) => <Shift shift={row.p50} unit={row.unit} /> },
  { key: "p95", header: "Difference of p95", cell: (row) => <Shift shift={row.p95} unit={row.unit} /> },
  { key: "scenario", header: "By scenario", cell: (row) => <Shift shift={row.by_scenario} unit={row.unit} /> },
];
