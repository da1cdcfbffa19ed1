import { Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Schemas } from "../../api/client";
import { Empty } from "../../parts/empty";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import { DataTable } from "../../parts/table";
import { Mark } from "../../parts/verdict";
import { count, percent } from "../../parts/format";
import { labelOf, Metrics, valueText } from "./metrics";
import { nowOf, Shown } from "./now";
import { type Scope, useAgentNames } from "./scope";
import { ScopeBar } from "./scopebar";
import { Spark } from "./spark";
import { Waiting } from "../../parts/waiting";

/** Verdicts of a whole agent or service, by tone and word. */
const Health: Record<string, { tone: string; label: string }> = {
  ok: { tone: "passed", label: "healthy" },
  watch: { tone: "void", label: "watch" },
  bad: { tone: "failed", label: "not healthy" },
  unknown: { tone: "open", label: "too little history" },
};

/** Overview answers whether all is well now, against what is usual. */
export function Overview() {
  const scope = getRouteApi("/layout/").useSearch();
  const asked = nowOf(scope, Date.now());
  const { data, error } = useQuery({ ...asked.overview, refetchInterval: 30_000 });
  const trends = useQuery({ ...asked.trends, refetchInterval: 60_000 });
  const never = data && data.now.calls === 0 && data.before.calls === 0;
  return (
    <Page title="Overview" about="The last 24 hours against what is usual for them.">
      <ScopeBar scope={scope} still />
      {error != null && <ProblemBox error={error} />}
      {!data && error == null && <Waiting height={320} />}
      {never && <NoCalls scope={scope} />}
      {data && !never && (
        <>
          <Now data={data} />
          <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
            {Shown.map((name) => {
              const metric = data.metrics?.find((m) => m.metric === name);
              const line = trends.data?.series?.find((s) => s.metric === name);
              return metric ? <Card key={name} metric={metric} points={line?.points ?? []} scope={scope} /> : null;
            })}
          </SimpleGrid>
          {(data.agents?.length ?? 0) > 0 && <Agents agents={data.agents ?? []} scope={scope} />}
        </>
      )}
    </Page>
  );
}

function NoCalls({ scope }: { scope: Scope }) {
  if (scope.agent || scope.dim || scope.origin) {
    return (
      <Empty title="No calls">
        In 29 days no such call was reviewed. <Link to="/">Look at all calls</Link>
      </Empty>
    );
  }
  return (
    <Empty title="No production calls yet" action={<Link to="/experiments/new">Or test an agent with simulated callers first</Link>}>
      Post finished calls to <span className="rt-mono">/api/rest/v2/call-logs</span> as they end, or bring in what you have kept with <span className="rt-mono">ringtrue import FILE…</span>. The
      interface is described at <a href="/docs">/docs</a>; a key for it is made under <Link to="/settings/keys">Settings</Link>.
    </Empty>
  );
}

function Now({ data }: { data: Schemas["Overview"] }) {
  const health = Health[data.verdict] ?? Health["unknown"]!;
  const nameOf = useAgentNames();
  return (
    <Group className="rt-panel" p="sm" gap="sm" align="flex-start" wrap="nowrap">
      <Mark {...health} />
      <Stack gap={2}>
        {data.sentences?.map((sentence) => (
          <Text size="sm" key={sentence}>
            {sentence.replace(/\bagt_\w+/g, (id) => nameOf(id))}
          </Text>
        ))}
        <Text size="xs" c="dimmed">
          {count(data.now.calls)} calls in 24 hours{data.now.void > 0 && `, ${count(data.now.void)} of them void`}
          {data.pending > 0 && ` · ${data.pending >= 100 ? "100 and more" : data.pending} hours are being counted anew`}
        </Text>
      </Stack>
    </Group>
  );
}

function Card({ metric, points, scope }: { metric: Schemas["MetricNow"]; points: Schemas["TrendPoint"][]; scope: Scope }) {
  const { seen, low, high, expected } = metric;
  const outside = seen != null && low != null && high != null && (seen < low || seen > high);
  const good = Metrics[metric.metric]?.good;
  const worse = outside && ((seen > high && good === "down") || (seen < low && good === "up"));
  return (
    <Link to="/monitor/trends" search={{ ...scope, metric: metric.metric }} className="rt-panel" style={{ padding: 12, color: "inherit", textDecoration: "none" }}>
      <Group justify="space-between" gap={4} wrap="nowrap">
        <Text size="sm" c="dimmed" truncate>
          {labelOf(metric.metric)}
        </Text>
        {outside && <Mark tone={worse ? "failed" : "open"} label={seen > high ? "above usual" : "below usual"} />}
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

function Agents({ agents, scope }: { agents: Schemas["AgentHealth"][]; scope: Scope }) {
  const nameOf = useAgentNames();
  return (
    <DataTable
      label="Agents in the last 24 hours"
      rows={agents}
      rowKey={(agent) => agent.agent_id}
      columns={[
        {
          key: "agent",
          header: "Agent",
          cell: (agent) => (
            <Link to="/" search={{ ...scope, agent: agent.agent_id }}>
              {nameOf(agent.agent_id)}
            </Link>
          ),
        },
        { key: "health", header: "Health", cell: (agent) => <Mark {...(Health[agent.verdict] ?? Health["unknown"]!)} /> },
        { key: "why", header: "Because", cell: (agent) => <Because sentences={agent.sentences ?? []} /> },
        { key: "calls", header: "Calls", numeric: true, cell: (agent) => <Link to="/calls" search={{ agent: agent.agent_id } as never}>{count(agent.calls)}</Link> },
        { key: "errors", header: "Errors", numeric: true, cell: (agent) => rate(agent.errors) },
        { key: "upset", header: "Upset", numeric: true, cell: (agent) => rate(agent.upset) },
      ]}
    />
  );
}

function Because({ sentences: [first, ...others] }: { sentences: string[] }) {
  return (
    <span title={others.join("\n")}>
      {first}
      {others.length > 0 && (
        <Text span size="sm" c="dimmed">
          {" "}
          and {others.length} more
        </Text>
      )}
    </span>
  );
}

function rate({ rate: share, count: n, of }: Schemas["Rate"]): string {
  return share == null ? `${n} of ${of}` : percent(share, 1);
}
