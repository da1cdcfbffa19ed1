import type { ReactNode } from "react";
import { queries, type Schemas } from "../../api/client";
import { useDatasets } from "../../api/names";
import { duration, plain } from "../../parts/format";
import { Go, useGo } from "../../parts/go";
import { Name } from "../../parts/name";
import { ProblemBox } from "../../parts/problem";
import { type Column, DataTable } from "../../parts/table";
import { Time } from "../../parts/time";
import { CallOutcome, Outcome } from "../../parts/verdict";

type Experiment = Schemas["Experiment"];
type Call = Schemas["CallSummary"];

interface RecentProps {
  agent: string;
  empty: ReactNode;
}

/** RecentExperiments are the latest runs against an agent. */
export function RecentExperiments({ agent, empty }: RecentProps) {
  const go = useGo();
  const names = useDatasets().data?.data;
  const { data, error } = queries.useQuery("get", "/voice-experiments", { params: { query: { agent_id: agent, limit: 10 } } }, { refetchInterval: 10_000 });
  const columns: Column<Experiment>[] = [
    {
      key: "at", header: "Started", cell: (e) => (
        <Go to="/experiments/$id" params={{ id: e.id }}>
          <Time at={e.started_at ?? e.created_at} />
        </Go>
      ),
    },
    {
      key: "dataset", header: "Dataset", min: 120, cell: (e) => (
        <Go to="/datasets/$id" params={{ id: e.dataset_id }} search={{ version: e.dataset_version }}>
          <Name>{names?.find((d) => d.id === e.dataset_id)?.name ?? "the dataset"}</Name>
        </Go>
      ),
    },
    { key: "verdict", header: "Verdict", cell: (e) => <Outcome verdict={e.verdict} reason={e.reason} status={e.status} /> },
    { key: "passed", header: "Passed", numeric: true, cell: (e) => `${e.counts.passed} of ${e.counts.passed + e.counts.failed}` },
    { key: "void", header: "Void", numeric: true, cell: (e) => e.counts.void },
  ];
  return (
    <>
      {error && <ProblemBox error={error} />}
      <DataTable label="Recent experiments" failed={error != null} rows={data?.data ?? undefined} rowKey={(e) => e.id} columns={columns} empty={empty} open={(e) => void go({ to: "/experiments/$id", params: { id: e.id } })} />
    </>
  );
}

/** RecentCalls are the latest calls of an agent, simulated and production ones. */
export function RecentCalls({ agent, empty }: RecentProps) {
  const go = useGo();
  const { data, error } = queries.useQuery("get", "/calls", { params: { query: { agent_id: agent, limit: 10 } } }, { refetchInterval: 10_000 });
  const columns: Column<Call>[] = [
    {
      key: "at", header: "Started", cell: (c) => (
        <Go to="/calls/$id" params={{ id: c.id }}>
          <Time at={c.started_at ?? c.created_at} />
        </Go>
      ),
    },
    { key: "origin", header: "Origin", cell: (c) => c.origin },
    { key: "verdict", header: "Verdict", cell: (c) => <CallOutcome call={c} /> },
    { key: "end", header: "End", min: 110, cell: (c) => plain(c.end_reason?.code) },
    { key: "duration", header: "Duration", numeric: true, cell: (c) => duration(c.duration_ms) },
  ];
  return (
    <>
      {error && <ProblemBox error={error} />}
      <DataTable label="Recent calls" failed={error != null} rows={data?.data ?? undefined} rowKey={(c) => c.id} columns={columns} empty={empty} open={(c) => void go({ to: "/calls/$id", params: { id: c.id } })} />
    </>
  );
}
