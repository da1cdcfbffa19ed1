import { getRouteApi, Link } from "@tanstack/react-router";
import { queries } from "../../api/client";
import { Empty } from "../../parts/empty";
import { percent } from "../../parts/format";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import { DataTable } from "../../parts/table";
import { Time } from "../../parts/time";
import { Mark } from "../../parts/verdict";
import { labelOf, valueText } from "./metrics";
import { Views } from "../../shell/views";
import { isNarrowed, useAgentNames, useWindow } from "./scope";
import { ScopeBar } from "./scopebar";

const Tones: Record<string, string> = { minor: "void", major: "failed", critical: "failed" };

/** Anomalies lists what departed from the usual: when, by how much, on how many calls, and how sure that is. */
export function Anomalies() {
  const { dim: _, value: __, ...scope } = getRouteApi("/layout/monitor/anomalies").useSearch();
  const window = useWindow(scope);
  const { data, error } = queries.useQuery("get", "/monitoring/anomalies", { params: { query: window } }, { refetchInterval: 60_000 });
  const nameOf = useAgentNames();
  return (
    <Page title="Anomalies" actions={<Views page="monitor/anomalies" narrowed={isNarrowed(scope)} />} about="Departures of all calls, of each agent and of each value of a dimension from their own baseline per hour of the week.">
      <ScopeBar scope={scope} />
      {error != null && <ProblemBox error={error} />}
      <DataTable
        label="Anomalies"
        rows={data?.anomalies ?? (data ? [] : undefined)}
        failed={error != null}
        rowKey={(a) => `${a.metric} ${a.agent_id} ${a.dimension} ${a.value} ${a.start} ${a.form}`}
        empty={
          <Empty title="Nothing departed from what is usual">
            {data?.known_series === 0 ? "There is too little history yet to tell what is usual: it takes about two weeks of calls." : `${data?.checked_series ?? 0} series were looked at. ${data?.reason ?? ""}`}
          </Empty>
        }
        columns={[
          {
            key: "what",
            header: "What",
            width: 170,
            cell: (a) => (
              <Link to="/monitor/trends" search={{ ...scope, agent: a.agent_id ?? undefined, dim: a.dimension ?? undefined, value: a.value ?? undefined, metric: a.metric, ...around(a.start, a.end) }}>
                {labelOf(a.metric)}
              </Link>
            ),
          },
          { key: "severity", header: "Severity", cell: (a) => <Mark tone={a.worse ? (Tones[a.severity] ?? "open") : "running"} label={a.worse ? a.severity : "for the better"} /> },
          { key: "whose", header: "Whose calls", cell: (a) => (a.dimension ? `${a.dimension.replace(/^metadata\./, "")} ${a.value}` : nameOf(a.agent_id)) },
          { key: "form", header: "Form", cell: (a) => a.form },
          { key: "since", header: "Since", cell: (a) => <Time at={a.start} exact /> },
          { key: "until", header: "Until", cell: (a) => (a.open ? <Mark tone="running" label="goes on" /> : <Time at={a.end} exact />) },
          { key: "seen", header: "Seen", numeric: true, cell: (a) => valueText(a.seen, a.unit) },
          { key: "usual", header: "Usual", numeric: true, cell: (a) => `${valueText(a.low, a.unit)} to ${valueText(a.high, a.unit)}` },
          {
            key: "n",
            header: "Calls",
            numeric: true,
            cell: (a) => (
              <Link to="/calls" search={{ origin: window.origin ?? "production", agent: a.agent_id ?? undefined, from: a.start, until: a.end } as never}>
                {a.n.toLocaleString()}
              </Link>
            ),
          },
          { key: "sure", header: "Sure", numeric: true, cell: (a) => percent(Math.min(a.sure, 0.999), 1) },
        ]}
      />
    </Page>
  );
}

/** around is the stretch with two days on either side, so that one sees what was usual. */
function around(start: number, end: number) {
  return { last: undefined, from: start - 48 * 3_600_000, until: end + 24 * 3_600_000 };
}
