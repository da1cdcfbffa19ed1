import { Group, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { nameOf, useAgents, useDatasets } from "../../api/names";
import { queries } from "../../api/client";
import { Copy } from "../../parts/copy";
import { counted, percent, short } from "../../parts/format";
import { Go } from "../../parts/go";
import { Time } from "../../parts/time";
import type { Experiment } from "./figures";

/** Plan shows the settings that an experiment was started with. */
export function Plan({ e }: { e: Experiment }) {
  const agents = useAgents().data?.data;
  const datasets = useDatasets().data?.data;
  const { plan } = e;
  const scorers = plan.scorers.map((scorer) => (
    <div key={scorer.slug}>
      <Go to="/scorers/$slug" params={{ slug: scorer.slug }}>
        {scorer.name || scorer.slug}
      </Go>{" "}
      <Text span size="sm" c="dimmed">
        version {scorer.version}, {scorer.kind}
      </Text>
    </div>
  ));
  return (
    <div className="rt-panel">
      <Table layout="fixed" aria-label="Run settings">
        <Table.Tbody>
          <Line name="Agent">{e.agent_id ? <Go to="/agents/$id" params={{ id: e.agent_id }}>{nameOf(agents, e.agent_id)}</Go> : "no particular agent"}</Line>
          <Line name="Dataset">
            <Go to="/datasets/$id" params={{ id: e.dataset_id }} search={{ version: e.dataset_version }}>
              <bdi>{nameOf(datasets, e.dataset_id)}</bdi>, version {e.dataset_version}
            </Go>
          </Line>
          <Line name="Line">{e.line === "room" ? `rooms${plan.agent_name ? `, into which ${plan.agent_name} was sent` : ""}` : `telephone, to ${e.to_number}, over trunk ${e.trunk}`}</Line>
          <Line name="Calls per scenario">{e.repetitions}</Line>
          <Line name="Caller prompt">{plan.caller_prompt ? <Go to="/prompts/$slug" params={{ slug: plan.caller_prompt.split("@")[0] ?? "" }}>{plan.caller_prompt}</Go> : "built in"}</Line>
          <Line name="Scorers for every call">{scorers.length > 0 ? scorers : "none besides what the scenarios expect"}</Line>
          <Line name="Passes when">
            {percent(plan.pass_threshold)} of the evaluated calls pass, and at least {plan.min_evaluated} {plan.min_evaluated === 1 ? "is" : "are"} evaluated
          </Line>
          <Line name="Limits">{limitsOf(plan)}</Line>
          <Engines id={e.id} />
          <Line name="Created">
            <Time at={e.created_at} exact />
          </Line>
          <Line name="Id">
            <Group gap={4} wrap="nowrap">
              <span className="rt-mono rt-words">{e.id}</span>
              <Copy value={e.id} label="Copy the id" />
            </Group>
          </Line>
        </Table.Tbody>
      </Table>
    </div>
  );
}

function limitsOf(plan: Experiment["plan"]): string {
  const limits = [
    plan.concurrent_calls != null && `${counted(plan.concurrent_calls, "call")} at a time`,
    plan.calls_per_second != null && `${counted(plan.calls_per_second, "call")} started per second`,
    plan.ring_timeout_ms != null && `rings for ${short(plan.ring_timeout_ms)} at most`,
  ].filter(Boolean);
  return limits.length > 0 ? limits.join(", ") : "the trunk's limits";
}

/** Engines are those of the first scored call: they are known per call, and those of one stand for all. */
function Engines({ id }: { id: string }) {
  const first = queries.useQuery("get", "/calls", { params: { query: { voice_experiment_id: id, scoring_status: "SCORED", limit: 1 } } }).data?.data[0]?.id;
  const { data } = queries.useQuery("get", "/calls/{id}", { params: { path: { id: first ?? "" } } }, { enabled: first !== undefined, staleTime: 60_000 });
  const engines = Object.entries(data?.engines ?? {});
  if (engines.length === 0) return null;
  return (
    <Line name="Engines">
      {engines.map(([role, engine]) => (
        <div key={role}>
          {role}: <span className="rt-mono rt-words">{engine}</span>
        </div>
      ))}
    </Line>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th w={{ base: 110, sm: 170 }} fw={500} style={{ verticalAlign: "top" }}>
        {name}
      </Table.Th>
      <Table.Td style={{ overflowWrap: "anywhere" }}>{children}</Table.Td>
    </Table.Tr>
  );
}
