import { Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useDeferredValue } from "react";
import type { Schemas } from "../../api/client";
import { useHour } from "../../parts/clock";
import { Because } from "../../parts/departed";
import { Empty } from "../../parts/empty";
import { Go } from "../../parts/go";
import { Name } from "../../parts/name";
import { Page } from "../../parts/page";
import { DataTable } from "../../parts/table";
import { Health, Mark } from "../../parts/verdict";
import { count, percent } from "../../parts/format";
import { labelOf, valueText } from "../../parts/metrics";
import { completeBefore, countedOf, isWorse, nowOf, outside, Shown } from "./now";
import { isNarrowed, type Scope, useAgentNames } from "./scope";
import { endedBy } from "./running";
import { ScopeBar, toBar } from "./scopebar";
import { ScopeProblem } from "./scopeproblem";
import { Spark } from "./spark";
import { notApart, waitingFor } from "./uncounted";
import { VerdictNow } from "./verdict";
import { Waiting } from "../../parts/waiting";

// Loaded when it is shown: only new workspaces need it.
const FirstSteps = lazy(() => import("./firststeps").then((m) => ({ default: m.FirstSteps })));

/** Overview answers whether all is well now, compared with what is usual. */
export function Overview() {
  const scope = getRouteApi("/layout/").useSearch();
  const asked = nowOf(scope, useHour());
  const overview = useQuery({ ...asked.overview, refetchInterval: ({ state }) => (state.data?.pending ? 5_000 : 30_000) });
  const trends = useQuery({ ...asked.trends, refetchInterval: 60_000 });
  const { data } = overview;
  const error = overview.error ?? trends.error;
  const counted = countedOf(trends.data?.series?.find((line) => line.metric === "calls")?.points, completeBefore(scope, Date.now()));
  const agents = useDeferredValue(data?.agents, undefined); // the table is rendered after what is above it
  const never = data && data.now.calls === 0 && data.before.calls === 0;
  const bare = never && !isNarrowed(scope);
  return (
    <Page title="Overview" about={bare ? undefined : "The last 24 complete hours, compared with what is usual for these hours."}>
      {!bare && <ScopeBar scope={scope} still />}
      {error != null && <ScopeProblem error={error} scope={scope} />}
      {!data && error == null && <Waiting height={320} />}
      {never && data.unreviewed > 0 && <Empty title="Calls have arrived">{waitingFor(data.unreviewed)}. They appear here once they have been reviewed.</Empty>}
      {never && data.in_other && <Empty title="Not counted by itself">{notApart(data)}.</Empty>}
      {never && !data.in_other && data.unreviewed === 0 && <NoCalls scope={scope} />}
      {data && !never && (
        <>
          <VerdictNow data={data} scope={scope} counted={counted} />
          <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
            {Shown.map((name) => {
              const metric = data.metrics.find((m) => m.metric === name);
              const line = trends.data?.series?.find((s) => s.metric === name);
              return metric ? <Card key={name} metric={metric} points={line ? endedBy(line, trends.data?.until ?? 0, Date.now()).points : []} scope={scope} /> : null;
            })}
          </SimpleGrid>
          {agents && agents.length > 0 && (
            <Stack gap={4}>
              <Agents agents={agents} scope={scope} from={data.from} until={data.until} />
              <Text size="xs" c="dimmed">
                Calls, errors and upset callers of the agents are those of the last 24 hours, including the current one.
              </Text>
            </Stack>
          )}
        </>
      )}
    </Page>
  );
}

/** NoCalls says why there is nothing to see. */
export function NoCalls({ scope }: { scope: Scope }) {
  if (scope.agent || scope.dim || scope.origin) {
    return (
      <Empty title="No calls">
        No such call has been reviewed in the last 29 days. <Link to="/" onClick={toBar}>Show all calls</Link>
      </Empty>
    );
  }
  return (
    <Suspense fallback={<Waiting height={320} />}>
      <FirstSteps />
    </Suspense>
  );
}

function Card({ metric, points, scope }: { metric: Schemas["MetricNow"]; points: Schemas["TrendPoint"][]; scope: Scope }) {
  const { seen, expected } = metric;
  const side = outside(metric);
  const worse = isWorse(metric);
  return (
    <Link to="/monitor/trends" search={{ ...scope, metric: metric.metric }} className="rt-panel" style={{ padding: 12, color: "inherit", textDecoration: "none" }}>
      <Group justify="space-between" gap={4}>
        <Text size="sm" c="dimmed">
          {labelOf(metric.metric)}
        </Text>
        {side && <Mark tone={worse ? "failed" : "open"} label={`${side} usual`} />}
      </Group>
      <Group gap={6} align="baseline">
        <Text fz={22} fw={600}>
          {valueText(seen, metric.unit)}
        </Text>
        {expected != null && (
          <Text size="xs" c="dimmed">
            usually {valueText(expected, metric.unit)}
          </Text>
        )}
      </Group>
      <Spark points={points} />
    </Link>
  );
}

function Agents({ agents, scope, from, until }: { agents: Schemas["AgentHealth"][]; scope: Scope; from: number; until: number }) {
  const nameOf = useAgentNames();
  return (
    <DataTable
      label="Agents in the last 24 hours, including the current one"
      rows={agents}
      rowKey={(agent) => agent.agent_id}
      columns={[
        {
          key: "agent",
          header: "Agent",
          min: 150,
          cell: (agent) => (
            <Link to="/" search={{ ...scope, agent: agent.agent_id }}>
              <Name>{nameOf(agent.agent_id)}</Name>
            </Link>
          ),
        },
        { key: "health", header: "Health", cell: (agent) => <Health verdict={agent.verdict} /> },
        { key: "why", header: "Why", min: 220, cell: (agent) => <Because departures={agent.departures} sentences={agent.sentences} /> },
        { key: "calls", header: "Calls, 24 h", numeric: true, cell: (agent) => <Go to="/calls" search={{ origin: scope.origin ?? "production", agent: agent.agent_id, from, until }}>{count(agent.calls)}</Go> },
        { key: "errors", header: "Errors", numeric: true, cell: (agent) => <Go to="/monitor/failures" search={{ ...scope, agent: agent.agent_id, from, until }}>{rate(agent.errors)}</Go> },
        { key: "upset", header: "Upset", numeric: true, cell: (agent) => <Go to="/monitor/upset" search={{ ...scope, agent: agent.agent_id, from, until }}>{rate(agent.upset)}</Go> },
      ]}
    />
  );
}

function rate({ rate: share, count: n, of }: Schemas["Rate"]): string {
  return share == null ? `${n} of ${of}` : percent(share, 1);
}
