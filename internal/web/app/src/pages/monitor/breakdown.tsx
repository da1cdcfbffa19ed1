import { NativeSelect, Text, Tooltip } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { queries, type Schemas } from "../../api/client";
import { Empty } from "../../parts/empty";
import { count, points } from "../../parts/format";
import { Go, type SearchOf } from "../../parts/go";
import { Page } from "../../parts/page";
import { DataTable } from "../../parts/table";
import { Time } from "../../parts/time";
import { Mark } from "../../parts/verdict";
import { callsIn, dimensionName } from "../../parts/departures";
import { labelOf, Metrics, valueText } from "../../parts/metrics";
import { Views } from "../../shell/views";
import { asBefore, isNarrowed, type Scope, useAgentNames, useWindow } from "./scope";
import { ScopeBar } from "./scopebar";
import { ScopeProblem } from "./scopeproblem";

const Dimensions = [
  { value: "agent", label: "Agent" },
  { value: "agent_version", label: "Agent version" },
  { value: "prompt", label: "Prompt" },
  { value: "model", label: "Model" },
];

const Usual = "28d";

/** Breakdown compares the values of a dimension by a metric, to see whether a change of prompt, model or version helped. */
export function Breakdown() {
  const search = getRouteApi("/layout/monitor/breakdown").useSearch();
  const { by = "agent_version", metric = "failed_rate", last = Usual, ...rest } = search;
  const scope = { ...rest, last }; // links name the time, which is not the usual one of other pages
  const navigate = useNavigate({ from: "/monitor/breakdown" });
  const asked = useWindow(scope);
  const query = { ...asked, by, metric };
  const { data, error } = queries.useQuery("get", "/monitoring/breakdown", { params: { query } }, { refetchInterval: 60_000, placeholderData: asBefore(query) });
  const declared = queries.useQuery("get", "/monitoring/dimensions", {}, { staleTime: 60_000 });
  // The service counts whole days: the links use what it counted, so that they lead to exactly these calls.
  const counted = { ...asked, from: data?.from ?? asked.from, until: data?.until ?? asked.until };
  const nameOf = useAgentNames();
  const dimensions = [...Dimensions, ...(declared.data?.metadata_keys ?? []).map((key) => ({ value: `metadata.${key}`, label: key }))];
  const change = (part: { by?: string; metric?: string }) => void navigate({ search: (before: Record<string, unknown>) => ({ ...before, ...part }), replace: true });
  const narrower = (value: string): Scope => (by === "agent" ? { ...scope, agent: value } : { ...scope, dim: by, value });
  return (
    <Page title="Breakdown" actions={<Views page="monitor/breakdown" narrowed={isNarrowed(search)} />} about="Compares each value with all others, and with the one before it. Whole days are compared, because calls of one day have more in common than calls of different days.">
      <ScopeBar scope={scope} spans={["7d", "28d", "90d"]} usual={Usual}>
        <NativeSelect aria-label="Break down by" value={by} onChange={(event) => change({ by: event.currentTarget.value })} data={dimensions} />
        <NativeSelect aria-label="Compare by" value={metric} onChange={(event) => change({ metric: event.currentTarget.value })} data={Object.entries(Metrics).map(([value, { label }]) => ({ value, label }))} />
      </ScopeBar>
      {error != null && <ScopeProblem error={error} scope={scope} />}
      <DataTable
        label={`${labelOf(metric)} by ${dimensionName(by)}`}
        rows={data?.parts}
        failed={error != null}
        rowKey={(part) => part.value}
        empty={
          <Empty title="Nothing to break down">
            {by.startsWith("metadata.") ? `No call in this time has the metadata key “${by.slice(9)}”.` : `The ${by.replace("_", " ")} is not known for any call in this time. Voice platforms report it in their records.`} You can
            also break calls down by metadata keys that are declared under <Link to="/settings/workspace">Settings</Link>.
          </Empty>
        }
        columns={[
          {
            key: "value",
            header: "Value",
            cell: (part) => (
              <Link to="/monitor/trends" search={{ ...narrower(part.value), metric }} className="rt-words">
                {by === "agent" ? nameOf(part.value) : part.value}
              </Link>
            ),
          },
          { key: "seen", header: labelOf(metric), numeric: true, cell: (part) => valueText(part.seen, data?.unit ?? "") },
          { key: "n", header: "Based on", numeric: true, cell: (part) => count(part.n) },
          { key: "calls", header: "Calls", numeric: true, cell: (part) => <Calls search={callsIn({ ...counted, ...(by === "agent" ? { agent_id: part.value } : { dimension: by, value: part.value }) })} count={part.summary.calls} /> },
          { key: "rest", header: "Compared with the rest", cell: (part) => <Compared difference={part.against_rest} unit={data?.unit ?? ""} /> },
          { key: "before", header: "Compared with the one before", cell: (part) => <Compared difference={part.against_previous} unit={data?.unit ?? ""} named /> },
          { key: "first", header: "First call", cell: (part) => <Time at={part.first} /> },
        ]}
      />
      {data && data.without > 0 && (
        <Text size="sm" c="dimmed">
          {data.without === 1 ? "1 call has" : `${count(data.without)} calls have`} no value{data.bounded && "; values after the first 100 are grouped as “other”"}.
        </Text>
      )}
    </Page>
  );
}

/** Calls is a number of calls with a link to them. */
function Calls({ search, count: n }: { search: SearchOf<"/calls">; count: number }) {
  return n > 0 ? <Go to="/calls" search={search}>{count(n)}</Go> : <>{count(n)}</>;
}

const Outcomes: Record<Schemas["Difference"]["outcome"], string> = { higher: "higher", lower: "lower", alike: "alike", not_enough: "not enough calls" };

function Compared({ difference, unit, named }: { difference: Schemas["Difference"] | null | undefined; unit: string; named?: boolean }) {
  if (!difference) return <>–</>;
  const { outcome, better, delta, low, high, other, reason, p } = difference;
  const tone = better == null ? "open" : better ? "passed" : "failed";
  const sign = delta > 0 ? "+" : delta < 0 ? "−" : "±";
  const size = unit === "share" ? points(Math.abs(delta), 1) : valueText(Math.abs(delta), unit);
  const write = (value: number) => (unit === "share" ? points(value, 1) : valueText(value, unit));
  const told = `${reason}${low != null && high != null ? ` · 95 % interval ${write(low)} to ${write(high)}` : ""} · p ${p < 0.001 ? "< 0.001" : p.toFixed(3)}`;
  return (
    <Tooltip label={told} multiline maw={340}>
      <span tabIndex={0}>
        <Mark tone={tone} label={`${Outcomes[outcome]}${better == null ? "" : better ? ", better" : ", worse"}`} />{" "}
        {outcome !== "not_enough" && (
          <Text span size="sm" c="dimmed">
            {sign}
            {size}
            {named && ` to ${other}`}
          </Text>
        )}
      </span>
    </Tooltip>
  );
}
