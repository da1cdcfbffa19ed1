import { Text } from "@mantine/core";
import { queries } from "../../api/client";
import { nameOf, useAgents } from "../../api/names";
import { byCursor, moreOf, rowsOf } from "../../api/pages";
import { Dialog } from "../../parts/dialog";
import { Empty } from "../../parts/empty";
import { Go, useGo } from "../../parts/go";
import { ProblemBox } from "../../parts/problem";
import { type Column, DataTable } from "../../parts/table";
import { Time } from "../../parts/time";
import { Outcome } from "../../parts/verdict";
import { type Experiment, rateOf } from "./figures";
import { PassRate } from "./passrate";

/** CompareWith lets somebody choose the experiment to compare this one with. The earlier of the two becomes the base. */
export function CompareWith({ e, close }: { e: Experiment; close: () => void }) {
  const list = queries.useInfiniteQuery("get", "/voice-experiments", { params: { query: { dataset_id: e.dataset_id, limit: 100 } } }, byCursor);
  const agents = useAgents().data?.data;
  const go = useGo();
  const others = rowsOf<Experiment>(list.data)?.filter((other) => other.id !== e.id);
  return (
    <Dialog onClose={close} title="Compare with" size="lg">
      <Text size="sm" c="dimmed" mb="xs">
        Experiments with the same dataset, newest first.
      </Text>
      {list.error != null && <ProblemBox error={list.error} />}
      {list.error == null && (
        <DataTable
          whole label="Experiments to compare with" more={moreOf(list)} columns={columnsFor(e, (id) => nameOf(agents, id))} rows={others} rowKey={(other) => other.id} open={(other) => void go({ to: "/experiments/compare", search: pairOf(e, other) })}
          empty={<Empty title="There is nothing to compare with yet">Run this dataset again, then compare the two.</Empty>}
        />
      )}
    </Dialog>
  );
}

/** pairOf is the search of the comparison, the earlier experiment as its base. */
function pairOf(e: Experiment, other: Experiment): { base: string; with: string } {
  const [base, later] = other.created_at < e.created_at ? [other, e] : [e, other];
  return { base: base.id, with: later.id };
}

function columnsFor(e: Experiment, agentName: (id: string | null) => string): Column<Experiment>[] {
  return [
    {
      key: "when", header: "Started",
      cell: (other) => (
        <>
          <Go to="/experiments/compare" search={pairOf(e, other)}>
            <Time at={other.started_at ?? other.created_at} />
          </Go>
          {(other.id === e.rerun_of || other.rerun_of === e.id) && (
            <Text size="xs" c="dimmed">
              {other.id === e.rerun_of ? "repeated by this one" : "repeats this one"}
            </Text>
          )}
        </>
      ),
    },
    { key: "agent", header: "Agent", cell: (other) => agentName(other.agent_id) },
    { key: "verdict", header: "Verdict", cell: (other) => <Outcome verdict={other.verdict} status={other.status} /> },
    { key: "rate", header: "Pass rate", cell: (other) => <PassRate rate={rateOf(other.counts.passed, other.counts.passed + other.counts.failed)} width={48} /> },
  ];
}
