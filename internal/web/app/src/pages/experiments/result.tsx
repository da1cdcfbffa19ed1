import { Skeleton, Stack, Tabs } from "@mantine/core";
import { useState } from "react";
import { nameOf, useAgents, useDatasets } from "../../api/names";
import { problemOf } from "../../api/problem";
import { useChange } from "../../parts/go";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import { useMay } from "../../shell/session";
import { Actions } from "./actions";
import { CallTable } from "./calltable";
import { CompareWith } from "./comparewith";
import { settled } from "./figures";
import { Live } from "./live";
import { LiveCalls } from "./livecalls";
import { Matrix } from "./matrix";
import { Measured } from "./measured";
import { Plan } from "./plan";
import { type Results, useResults } from "./results";
import { experimentRoute, type ResultSearch } from "./routes";
import { Summary } from "./summary";
import { Voids } from "./voids";

/** ExperimentPage shows how an experiment goes while it runs, and what it found out. */
export function ExperimentPage() {
  const { id } = experimentRoute.useParams();
  return <Experiment key={id} id={id} />;
}

function Experiment({ id }: { id: string }) {
  const { open } = experimentRoute.useSearch();
  const change = useChange<ResultSearch>();
  const may = useMay("member");
  const [live] = useState(() => new LiveCalls());
  const { query, running, stream } = useResults(id, live.take, live.step);
  const agents = useAgents().data?.data;
  const datasets = useDatasets().data?.data;
  const results = query.data;
  const e = results?.voice_experiment;
  const title = e ? `${e.agent_id ? nameOf(agents, e.agent_id) : "Rooms"} · ${nameOf(datasets, e.dataset_id)}` : "Experiment";
  const gone = query.error != null && problemOf(query.error).status === 404;
  return (
    <Page title={title} up={{ to: "/experiments", label: "Experiments" }} actions={results && <Actions results={results} may={may} />}>
      {query.error != null && <ProblemBox error={query.error} />}
      {results && !gone && (
        <>
          <Summary results={results} />
          {running && <Live results={results} live={live} stream={stream} />}
          <Voids results={results} />
          {(!running || settled(results.voice_experiment.counts) > 0) && <Found results={results} />}
          {open === "compare" && <CompareWith e={results.voice_experiment} close={() => change({ open: undefined })} />}
        </>
      )}
      {!results && query.error == null && <Loading />}
    </Page>
  );
}

function Found({ results }: { results: Results }) {
  const { tab } = experimentRoute.useSearch();
  const change = useChange<ResultSearch>();
  return (
    <Tabs value={tab ?? "scenarios"} onChange={(next) => change({ tab: next === "scenarios" ? undefined : (next ?? undefined) })} keepMounted={false}>
      <Tabs.List mb="sm">
        <Tabs.Tab value="scenarios">Scenarios × scorers</Tabs.Tab>
        <Tabs.Tab value="calls">Calls</Tabs.Tab>
        <Tabs.Tab value="measured">Measured</Tabs.Tab>
        <Tabs.Tab value="plan">Run settings</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="scenarios">
        <Matrix results={results} />
      </Tabs.Panel>
      <Tabs.Panel value="calls">
        <CallTable scenarios={results.scenarios} />
      </Tabs.Panel>
      <Tabs.Panel value="measured">
        <Measured metrics={results.metrics} />
      </Tabs.Panel>
      <Tabs.Panel value="plan">
        <Plan e={results.voice_experiment} />
      </Tabs.Panel>
    </Tabs>
  );
}

function Loading() {
  return (
    <Stack aria-busy aria-label="Loading">
      <Skeleton height={110} />
      <Skeleton height={260} />
    </Stack>
  );
}
