import { Group, Progress, Text } from "@mantine/core";
import { count, duration } from "../../parts/format";
import { Go } from "../../parts/go";
import type { Column } from "../../parts/table";
import { Time } from "../../parts/time";
import { Status, Verdict } from "../../parts/verdict";
import { Counts } from "./counts";
import { type Experiment, isOver, rateOf, settled, tookOf } from "./figures";
import { PassRate } from "./passrate";

/** columnsOf are the columns of a table of experiments; names gives the agent's and the dataset's name. */
export function columnsOf(names: (e: Experiment) => [agent: string, dataset: string]): Column<Experiment>[] {
  return [
    {
      key: "name",
      header: "Agent and dataset",
      cell: (e) => {
        const [agent, dataset] = names(e);
        return (
          <Group gap={6} wrap="nowrap" miw={160}>
            <div className="rt-clip" style={{ fontWeight: 500, maxWidth: 220 }} title={e.agent_id ? agent : undefined}>
              <Go to="/experiments/$id" params={{ id: e.id }}>
                {e.agent_id ? agent : "Rooms"}
              </Go>
            </div>
            <Text span size="sm" c="dimmed" className="rt-clip" maw={240} title={dataset}>
              {dataset}
            </Text>
            <Text span size="xs" c="dimmed">
              v{e.dataset_version}
            </Text>
          </Group>
        );
      },
    },
    { key: "verdict", header: "Verdict", width: 120, cell: (e) => (isOver(e.status) ? <Outcome e={e} /> : <Running e={e} />) },
    { key: "rate", header: "Pass rate", width: 210, cell: (e) => <PassRate rate={rateOf(e.counts.passed, e.counts.passed + e.counts.failed)} /> },
    { key: "calls", header: "Calls", width: 150, cell: (e) => <Counts counts={e.counts} /> },
    { key: "started", header: "Started", width: 110, cell: (e) => <Time at={e.started_at ?? e.created_at} /> },
    { key: "took", header: "Took", numeric: true, width: 80, cell: (e) => (isOver(e.status) ? duration(tookOf(e, 0)) : "") },
  ];
}

function Outcome({ e }: { e: Experiment }) {
  if (e.status === "FINISHED") return <Verdict verdict={e.verdict} title={e.reason} />;
  return <Status status={e.status} />;
}

function Running({ e }: { e: Experiment }) {
  const done = settled(e.counts);
  return (
    <Group gap={6} wrap="nowrap">
      <Status status={e.status} />
      <Progress value={e.counts.calls ? (100 * done) / e.counts.calls : 0} size="sm" w={48} aria-label={`${count(done)} of ${count(e.counts.calls)} calls are settled`} />
    </Group>
  );
}
