import { Group, Text, VisuallyHidden } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { queries, type Schemas } from "../../api/client";
import { capitalized } from "../../api/problem";
import { Empty } from "../../parts/empty";
import { count, percent } from "../../parts/format";
import { Go } from "../../parts/go";
import { Page } from "../../parts/page";
import { DataTable } from "../../parts/table";
import { Time } from "../../parts/time";
import { Mark } from "../../parts/verdict";
import classes from "./anomalies.module.css";
import { around, callsOf, reasonsOf, whoseCalls } from "../../parts/departures";
import { labelOf, Metrics, spanText, valueText } from "../../parts/metrics";
import { Views } from "../../shell/views";
import { asBefore, isNarrowed, useAgentNames, useWindow } from "./scope";
import { ScopeBar } from "./scopebar";
import { ScopeProblem } from "./scopeproblem";

type Departure = Schemas["Anomaly"];

const Tones: Record<Departure["severity"], string> = { minor: "void", major: "failed", critical: "failed" };

const Forms: Record<Departure["form"], string> = { outage: "Calls stopped coming in", step: "It moved to a new level", drift: "It has been moving for days" };

/** Anomalies lists what departed from the usual: when, by how much, on how many calls, and with what certainty. */
export function Anomalies() {
  const { dim: _, value: __, ...scope } = getRouteApi("/layout/monitor/anomalies").useSearch();
  const { origin, ...asked } = useWindow(scope);
  const simulated = origin === "simulated";
  const { data, error } = queries.useQuery("get", "/monitoring/anomalies", { params: { query: asked } }, { enabled: !simulated, refetchInterval: 60_000, placeholderData: asBefore(asked) });
  const nameOf = useAgentNames();
  return (
    <Page title="Anomalies" actions={<Views page="monitor/anomalies" narrowed={isNarrowed(scope)} />} about="What departed from the usual for that hour of the week: for all calls, for one agent, or for one value of a dimension.">
      <ScopeBar scope={scope} />
      {error != null && <ScopeProblem error={error} scope={scope} />}
      <DataTable
        label="Anomalies"
        rows={simulated ? [] : data?.anomalies}
        failed={error != null}
        rowKey={(a) => `${a.metric} ${a.agent_id} ${a.dimension} ${a.value} ${a.start} ${a.form}`}
        empty={simulated ? (
          <Empty title="Simulated calls have no anomalies">Nothing is usual for them. Their experiments can be compared instead.</Empty>
        ) : (
          <Empty title={capitalized(data?.reason ?? "")}>
            {data?.known_series === 0 ? "It takes about two weeks of calls to know what is usual." : `${data?.checked_series ?? 0} series were checked.`}
          </Empty>
        )}
        columns={[
          {
            key: "what",
            header: "What",
            cell: (a) => (
              <div className={classes.what}>
                <Link to="/monitor/trends" search={{ ...around(a), metric: a.metric }}>
                  {labelOf(a.metric)}
                </Link>
                <Text span size="xs" c="dimmed" className="rt-words">
                  {whoseCalls(a, nameOf)}
                </Text>
              </div>
            ),
          },
          { key: "severity", header: "Severity", cell: (a) => <Mark tone={a.worse ? Tones[a.severity] : "running"} label={a.worse ? a.severity : Metrics[a.metric]?.good ? "better" : "new level"} title={Forms[a.form]} /> },
          { key: "seen", header: "Seen", numeric: true, cell: (a) => valueText(a.seen, a.unit) },
          { key: "usual", header: "Usual", numeric: true, cell: (a) => spanText(a.low, a.high, a.unit) },
          { key: "since", header: "Since", cell: (a) => <Time at={a.start} exact="brief" /> },
          { key: "until", header: "Until", cell: (a) => (a.open ? <Mark tone="running" label="ongoing" /> : <Time at={a.end} exact="brief" />) },
          { key: "n", header: "Based on", numeric: true, cell: (a) => count(a.n) },
          { key: "sure", header: "Certainty", numeric: true, cell: (a) => percent(Math.min(a.sure, 0.999), 1) },
          {
            key: "reasons",
            header: <VisuallyHidden>Reasons and calls</VisuallyHidden>,
            cell: (a) => {
              const reasons = reasonsOf(a);
              return (
                <Group gap="0 14px" wrap="nowrap" justify="flex-end">
                  {reasons && <Go {...reasons}>{reasons.label}</Go>}
                  <Go {...callsOf(a)}>Calls</Go>
                </Group>
              );
            },
          },
        ]}
      />
    </Page>
  );
}
