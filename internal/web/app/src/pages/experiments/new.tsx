import { Button } from "@mantine/core";
import { useState } from "react";
import { type Named, useAgents, useDatasets } from "../../api/names";
import { Empty } from "../../parts/empty";
import { linked, type Target } from "../../parts/go";
import { Needs } from "../../parts/needs";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import { Waiting } from "../../parts/waiting";
import { useMay } from "../../shell/session";
import { type MadeRooms, RoomList } from "./roomlist";
import { newExperimentRoute } from "./routes";
import { StartForm } from "./startform";

/** NewExperiment starts a test run. A run in rooms ends on the list of its rooms, whose tokens are shown only then. */
export function NewExperiment() {
  const search = newExperimentRoute.useSearch();
  const may = useMay("member");
  const agents = useAgents();
  const datasets = useDatasets();
  const [rooms, setRooms] = useState<MadeRooms>();
  const problem = agents.error ?? datasets.error;
  return (
    <Page title="Start a test run" up={{ to: "/experiments", label: "Experiments" }}>
      {problem != null && <ProblemBox error={problem} />}
      {!may && <Needs role="member" what="Starting a test run" />}
      {may && problem == null && !(agents.data && datasets.data) && <Waiting height={360} />}
      {may && rooms && <RoomList made={rooms} />}
      {may && !rooms && agents.data && datasets.data && <Form agents={agents.data.data} datasets={choices(datasets.data, search.dataset)} asked={search} made={setRooms} />}
    </Page>
  );
}

/** choices are what can be chosen of a list. Of very many it has only the first: then what the address asks for is one of them, by its id. */
function choices(list: { data: Named[]; next_cursor: string | null }, asked: string | undefined): Named[] {
  const known = list.data;
  return asked !== undefined && list.next_cursor && !known.some(({ id }) => id === asked) ? [...known, { id: asked, name: asked }] : known;
}

/** Form is the form, once there is something that it can be filled in with. */
function Form(props: Parameters<typeof StartForm>[0]) {
  if (props.datasets.length === 0 || props.agents.length === 0) return <Lacking agents={props.agents.length} />;
  return <StartForm {...props} />;
}

/** Lacking leads to what has to be made before a run can be started. */
function Lacking({ agents }: { agents: number }) {
  const target: Target = agents === 0 ? { to: "/agents", search: { open: "new" } } : { to: "/datasets", search: { new: "yes" } };
  return (
    <Empty title={`A test run needs ${agents === 0 ? "an agent" : "a dataset"}`} action={<Button renderRoot={linked(target)}>{agents === 0 ? "Create an agent" : "Create a dataset"}</Button>}>
      {agents === 0 ? "The agent is what gets called. A name and a phone number are enough." : "A dataset holds the scenarios: what the simulated caller wants, and what is expected of the agent."}
    </Empty>
  );
}
