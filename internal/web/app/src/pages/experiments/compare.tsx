import { Alert, Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconArrowsExchange } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { api, type Schemas } from "../../api/client";
import { nameOf, useAgents, useDatasets } from "../../api/names";
import { capitalized } from "../../api/problem";
import { Empty } from "../../parts/empty";
import { count } from "../../parts/format";
import { Go, linked, useChange } from "../../parts/go";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import { DataTable } from "../../parts/table";
import { Time } from "../../parts/time";
import { Outcome } from "../../parts/verdict";
import { Change } from "./change";
import { changedColumns, metricColumns, scenarioColumns, scorerColumns } from "./comparecolumns";
import type { Experiment } from "./figures";
import { headlineOf, uncountedOf } from "./headline";
import { PassRate } from "./passrate";
import { compareRoute, type CompareSearch } from "./routes";
import { RateShift } from "./shift";
import { Waiting } from "../../parts/waiting";

/** Comparison is what changed from one experiment to another, with the scenarios of all pages. */
type Comparison = Omit<Schemas["ExperimentComparison"], "scenarios"> & { scenarios: Schemas["ScenarioCompared"][] };

async function readAll(base: string, later: string, signal: AbortSignal): Promise<Comparison> {
  const scenarios: Schemas["ScenarioCompared"][] = [];
  for (let cursor: string | undefined; ; ) {
    const { data, error } = await api.GET("/voice-experiments/compare", { params: { query: { base, with: later, limit: 1000, cursor } }, signal });
    if (error) throw error;
    scenarios.push(...data.scenarios);
    if (!data.next_cursor) return { ...data, scenarios };
    cursor = data.next_cursor;
  }
}

/** CompareExperiments shows what got better and what got worse from one experiment to another, and where there is too little evidence to say so. */
export function CompareExperiments() {
  const { base, with: later } = compareRoute.useSearch();
  const { data, error } = useQuery({ queryKey: ["compare", base, later], queryFn: ({ signal }) => readAll(base ?? "", later ?? "", signal), enabled: Boolean(base && later) });
  const swap = base && later && (
    <Button variant="default" leftSection={<IconArrowsExchange size={16} />} renderRoot={linked({ to: "/experiments/compare", search: { base: later, with: base } })}>
      Swap
    </Button>
  );
  return (
    <Page title="Compare experiments" up={{ to: "/experiments", label: "Experiments" }} actions={swap}>
      {(!base || !later) && (
        <Empty title="Choose two experiments" action={<Button renderRoot={linked({ to: "/experiments" })}>Show the experiments</Button>}>
          Open an experiment and choose Compare there.
        </Empty>
      )}
      {error != null && <ProblemBox error={error} />}
      {base && later && !data && error == null && <Waiting height={240} />}
      {data && <Compared data={data} />}
    </Page>
  );
}

function Compared({ data }: { data: Comparison }) {
  const worse = data.scenarios.filter((scenario) => scenario.change === "worse").length;
  const better = data.scenarios.filter((scenario) => scenario.change === "better").length;
  const told = headlineOf(data);
  return (
    <Stack gap="md">
      <Stack className="rt-panel" p="sm" gap="sm">
        <Group gap="sm">
          <Change change={told.change} />
          <Text fw={600}>{told.title}</Text>
          <span>
            <RateShift rate={data.pass_rate} />
          </span>
        </Group>
        <Text size="sm" c="dimmed">
          {told.caution ? `${told.caution} ` : data.pass_rate.difference.reason && `${capitalized(data.pass_rate.difference.reason)}. `}
          {count(worse)} {worse === 1 ? "scenario looks" : "scenarios look"} worse, {count(better)} better; {count(data.changed_count)} {data.changed_count === 1 ? "call has" : "calls have"} another verdict.
        </Text>
        {data.pass_rate.both && (
          <Text size="sm" c="dimmed">
            The rates below are of all calls of each experiment. What only one of them has is left out of the differences.
          </Text>
        )}
        <Side name="Base" e={data.base} rate={data.pass_rate.base} />
        <Side name="Other" e={data.with} rate={data.pass_rate.with} />
      </Stack>
      <Notes data={data} />
      <Section title="Calls with another verdict">
        <DataTable label="Calls with another verdict" columns={changedColumns} rows={data.changed_calls} rowKey={(call) => `${call.base_call_id}${call.with_call_id}`} empty={<Nothing>All calls with a verdict in both have the same one.</Nothing>} />
      </Section>
      <Scenarios data={data} />
      <Section title="Scorers">
        <DataTable label="Scorers" columns={scorerColumns} rows={data.scorers} rowKey={(scorer) => scorer.name} empty={<Nothing>No scorer was used.</Nothing>} />
      </Section>
      <Metrics metrics={data.metrics} />
    </Stack>
  );
}

function Side({ name, e, rate }: { name: string; e: Experiment; rate: Schemas["PassRate"] }) {
  const agents = useAgents().data?.data;
  const datasets = useDatasets().data?.data;
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed" w={36}>
        {name}
      </Text>
      <Go to="/experiments/$id" params={{ id: e.id }}>
        <bdi>{e.agent_id ? nameOf(agents, e.agent_id) : "Rooms"}</bdi> · <bdi>{nameOf(datasets, e.dataset_id)}</bdi> v{e.dataset_version}
      </Go>
      <Text size="sm" c="dimmed" span>
        <Time at={e.started_at ?? e.created_at} />
      </Text>
      <span style={{ minWidth: 82 }}>
        <Outcome verdict={e.verdict} reason={e.reason} status={e.status} />
      </span>
      <PassRate rate={rate} />
    </Group>
  );
}

function Notes({ data }: { data: Comparison }) {
  const notes = [...data.notes, ...uncountedOf(data)];
  if (notes.length === 0) return null;
  return (
    <Alert variant="light" color="gray" title="Why they are hard to compare">
      {notes.map((note) => (
        <Text key={note} size="sm">
          {note}
        </Text>
      ))}
    </Alert>
  );
}

// Changes that say nothing about the agent: none, or a scenario that only one of the two has.
const Quiet = new Set(["same", "added", "removed"]);

function Scenarios({ data }: { data: Comparison }) {
  const { all } = compareRoute.useSearch();
  const change = useChange<CompareSearch>();
  const rows = all ? data.scenarios : data.scenarios.filter(({ change: went }) => !Quiet.has(went));
  const same = data.scenarios.filter(({ change: went }) => Quiet.has(went)).length;
  const box = same > 0 && <Checkbox size="xs" label={`Also show the ${count(same)} that stayed the same or are in only one of them`} checked={Boolean(all)} onChange={(event) => change({ all: event.currentTarget.checked ? "true" : undefined }, true)} />;
  return (
    <Section title="Scenarios" beside={box}>
      <DataTable
        label="Scenarios" columns={scenarioColumns} rows={rows} rowKey={(scenario) => `${scenario.base_item_id ?? ""}${scenario.with_item_id ?? ""}`}
        empty={<Nothing>Every scenario passed as often as before.</Nothing>}
      />
    </Section>
  );
}

// Metrics that people look for first are listed whether they changed or not.
const Always = new Set(["turn_latency", "time_to_first_word"]);
const Moved = new Set(["better", "worse", "changed"]);

function Metrics({ metrics }: { metrics: Schemas["MetricCompared"][] }) {
  const { metrics: which } = compareRoute.useSearch();
  const change = useChange<CompareSearch>();
  const few = metrics.filter(({ name, change: went }) => Always.has(name) || Moved.has(went));
  const rest = metrics.length - few.length;
  const box = rest > 0 && <Checkbox size="xs" label={`Also show the ${count(rest)} that did not clearly change`} checked={which === "all"} onChange={(event) => change({ metrics: event.currentTarget.checked ? "all" : undefined }, true)} />;
  return (
    <Section title="Metrics" beside={box}>
      <DataTable
        label="Metrics" columns={metricColumns} rows={which === "all" ? metrics : few} rowKey={(metric) => metric.name}
        empty={<Nothing>{metrics.length > 0 ? "No metric clearly changed." : "Nothing was measured."}</Nothing>}
      />
    </Section>
  );
}

function Section({ title, beside, children }: { title: string; beside?: ReactNode; children: ReactNode }) {
  return (
    <section>
      <Group justify="space-between" mb={6}>
        <Text component="h2" fw={600} size="md" m={0}>
          {title}
        </Text>
        {beside}
      </Group>
      {children}
    </section>
  );
}

function Nothing({ children }: { children: string }) {
  return (
    <Text className="rt-panel" p="sm" size="sm" c="dimmed">
      {children}
    </Text>
  );
}
