import { Button, Group, SimpleGrid, Stack, Tabs, Text, Title } from "@mantine/core";
import { IconChartLine, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { request, type Schemas } from "../../api/client";
import { Confirm } from "../../parts/confirm";
import { Copy } from "../../parts/copy";
import { Departed } from "../../parts/departed";
import { Empty } from "../../parts/empty";
import { Go, linked, type Target, useChange, useGo } from "../../parts/go";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import { useMay } from "../../shell/session";
import { AgentForm, agentQuery } from "./defaults";
import { AgentHealth, useHealth } from "./health";
import { RecentCalls, RecentExperiments } from "./recent";
import { type AgentSearch, agentRoute } from "./routes";
import { Waiting } from "../../parts/waiting";

type Agent = Schemas["Agent"];

/** AgentPage shows an agent: its health and latest calls, and its test defaults. */
export function AgentPage() {
  const { id } = agentRoute.useParams();
  const { tab } = agentRoute.useSearch();
  const change = useChange<AgentSearch>();
  const may = useMay("member");
  const { data: agent, error } = useQuery(agentQuery(id));
  const up = { to: "/agents", label: "Agents" } as const;
  if (!agent) {
    return (
      <Page title="Agent" up={up}>
        {error ? <ProblemBox error={error} /> : <Waiting height={320} />}
      </Page>
    );
  }
  return (
    <Page title={agent.name} up={up} about={<About agent={agent} />} actions={<Actions agent={agent} may={may} />}>
      <Tabs value={tab === "defaults" ? "defaults" : "recent"} onChange={(next) => change({ tab: next === "defaults" ? next : undefined })} keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="recent">Recent</Tabs.Tab>
          <Tabs.Tab value="defaults">Test defaults</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="recent">
          <Lately agent={agent} />
        </Tabs.Panel>
        <Tabs.Panel value="defaults">
          <AgentForm key={agent.id} agent={agent} readOnly={!may} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function About({ agent }: { agent: Agent }) {
  return (
    <Group gap={6} component="span" style={{ rowGap: 0 }}>
      {agent.defaults.to_number ? <span>{agent.defaults.to_number}</span> : <span>no number</span>}
      {agent.sourceId && <span>· source id <span className="rt-mono rt-words">{agent.sourceId}</span></span>}
      <span className="rt-mono">· {agent.id}</span>
      <Copy value={agent.id} label="Copy the agent's id" />
    </Group>
  );
}

function Actions({ agent, may }: { agent: Agent; may: boolean }) {
  const go = useGo();
  const client = useQueryClient();
  return (
    <>
      {may && (
        <Confirm
          title={`Delete ${agent.name}`} verb="Delete the agent" act={async () => {
            await request("DELETE", `/agents/${encodeURIComponent(agent.id)}`);
            await go({ to: "/agents" }, true);
            await client.invalidateQueries({ queryKey: ["get", "/agents"] });
          }}
          ask={(ask) => (
            <Button variant="subtle" color="gray" c="var(--rt-failed)" leftSection={<IconTrash size={16} />} onClick={ask}>
              Delete
            </Button>
          )}
        >
          Its calls and experiments are kept. New production calls from it will not be linked to any agent.
        </Confirm>
      )}
      <Button variant="default" renderRoot={linked({ to: "/monitor/trends", search: { agent: agent.id } })} leftSection={<IconChartLine size={16} />}>
        Monitoring
      </Button>
      {may && (
        <Button renderRoot={linked({ to: "/experiments/new", search: { agent: agent.id } })} leftSection={<IconPlayerPlay size={16} />}>
          Start a test run
        </Button>
      )}
    </>
  );
}

/** Watched are the pages of monitoring that can be narrowed to the agent. */
const Watched = [["/monitor/failures", "Failing calls"], ["/monitor/drop-off", "Drop-off"], ["/monitor/upset", "Upset callers"], ["/monitor/anomalies", "Anomalies"]] as const;

function Lately({ agent }: { agent: Agent }) {
  const { of, error } = useHealth();
  const health = of(agent.id);
  return (
    <Stack>
      {error != null && <ProblemBox error={error} />}
      <section className="rt-panel" aria-label="In production">
        <Group p="sm" gap="sm" justify="space-between">
          <Group gap="sm">
            <AgentHealth id={agent.id} health={health} />
            {health && !health.departures.length && <Text size="sm">{health.sentences.join(" ")}</Text>}
          </Group>
          <Group gap="sm">
            {Watched.map(([to, label]) => (
              <Go key={to} to={to} search={{ agent: agent.id }}>
                <Text span size="sm">{label}</Text>
              </Go>
            ))}
          </Group>
        </Group>
        <Departed departures={health?.departures ?? []} nameOf={() => ""} all={{ search: { agent: agent.id, last: "3d" } }} />
      </section>
      <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
        <Recent title="Experiments" all={{ to: "/experiments", search: { agent: agent.id } }}>
          <RecentExperiments agent={agent.id} empty={<Empty title="No experiments yet">Start a test run to call it with simulated callers.</Empty>} />
        </Recent>
        <Recent title="Calls" all={{ to: "/calls", search: { agent: agent.id } }}>
          <RecentCalls agent={agent.id} empty={<Empty title="No calls yet">Test calls and production calls of this agent appear here.</Empty>} />
        </Recent>
      </SimpleGrid>
    </Stack>
  );
}

function Recent({ title, all, children }: { title: string; all: Target; children: ReactNode }) {
  return (
    <Stack gap="xs" miw={0}>
      <Group justify="space-between">
        <Title order={2}>{title}</Title>
        <Go {...all}>
          <Text span size="sm">
            All {title.toLowerCase()}
          </Text>
        </Go>
      </Group>
      {children}
    </Stack>
  );
}
