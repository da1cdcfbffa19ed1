import { Button, Group } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useMemo } from "react";
import { queries, queryClient } from "../../api/client";
import { useEvents, useThrottled } from "../../api/events";
import { nameOf, useAgents, useDatasets } from "../../api/names";
import { DataTable } from "../../parts/table";
import { byCursor, moreOf, rowsOf } from "../../api/pages";
import { Empty } from "../../parts/empty";
import { linked, useGo } from "../../parts/go";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import { useMay } from "../../shell/session";
import { columnsOf } from "./columns";
import { type Experiment, isOver } from "./figures";
import { Filters } from "./filters";
import { experimentsRoute, type ListSearch } from "./routes";

const ListKey = ["get", "/voice-experiments"];

/** ExperimentList shows all experiments, newest first. Those that are running are kept up to date. */
export function ExperimentList() {
  const search = experimentsRoute.useSearch();
  const go = useGo();
  const agents = useAgents().data?.data;
  const datasets = useDatasets().data?.data;
  const may = useMay("member");
  const list = useExperiments(search);
  const rows = rowsOf<Experiment>(list.data);
  const columns = useMemo(() => columnsOf((e) => [nameOf(agents, e.agent_id), nameOf(datasets, e.dataset_id)]), [agents, datasets]);
  const narrowed = Object.values(search).some(Boolean);
  return (
    <Page title="Experiments" about="One experiment is one run of a dataset against an agent." actions={may && (narrowed || rows?.length !== 0) && <StartButton />}>
      {(narrowed || rows?.length !== 0) && <Filters search={search} agents={agents} datasets={datasets} />}
      {list.error != null && <ProblemBox error={list.error} />}
      {(rows || list.error == null) && (
        <DataTable
          label="Experiments"
          columns={columns}
          rows={rows}
          rowKey={(e) => e.id}
          open={(e) => void go({ to: "/experiments/$id", params: { id: e.id } })}
          more={moreOf(list)}
          empty={narrowed ? <NothingLeft /> : <NoneYet may={may} />}
        />
      )}
    </Page>
  );
}

function useExperiments(search: ListSearch) {
  const query = {
    limit: 100, agent_id: search.agent, dataset_id: search.dataset, status: search.status as Experiment["status"], verdict: search.verdict as Verdict,
  };
  const refresh = useThrottled(() => void queryClient.invalidateQueries({ queryKey: ListKey }), 1_500);
  const stream = useEvents({ onEvent: refresh, onOpen: refresh });
  return queries.useInfiniteQuery("get", "/voice-experiments", { params: { query } }, {
    ...byCursor,
    refetchInterval: ({ state }) => {
      const moving = state.data?.pages.some((page) => page.data.some((e) => !isOver(e.status)));
      return moving && stream !== "open" ? 4_000 : false;
    },
  });
}

type Verdict = NonNullable<Experiment["verdict"]> | undefined;

function StartButton() {
  return (
    <Button renderRoot={linked({ to: "/experiments/new" })} leftSection={<IconPlayerPlay size={16} />}>
      Start a test run
    </Button>
  );
}

function NoneYet({ may }: { may: boolean }) {
  return (
    <Empty
      title="No test has run yet"
      action={
        may && (
          <Group gap="xs" justify="center">
            <StartButton />
            <Button variant="default" renderRoot={linked({ to: "/datasets" })}>
              Show the datasets
            </Button>
          </Group>
        )
      }
    >
      A test run calls an agent once for every scenario of a dataset and scores each call. You need an agent with a phone number (or one that can join a room) and a dataset with
      at least one scenario.
    </Empty>
  );
}

function NothingLeft() {
  return (
    <Empty title="No experiment matches" action={<Button variant="default" renderRoot={linked({ to: "/experiments" })}>Clear the filters</Button>}>
      Change the filters, or clear them to see all experiments.
    </Empty>
  );
}
