import { Alert, Button, Grid, Group, NativeSelect, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { api } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { useAgents, useDatasets } from "../../api/names";
import { fieldsOf, problemOf } from "../../api/problem";
import { Empty } from "../../parts/empty";
import { linked, type Target, useGo } from "../../parts/go";
import { Needs } from "../../parts/needs";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import { useTrunks } from "../../parts/trunks";
import { useUnsaved } from "../../parts/unsaved";
import { useMay } from "../../shell/session";
import { Estimate } from "./estimate";
import { ItemChoice } from "./itemchoice";
import { type MadeRooms, RoomList } from "./roomlist";
import { newExperimentRoute } from "./routes";
import { Blank, missing, placesOf, roomsOf, type RunForm, runOf, unread } from "./runform";
import { Settings } from "./runsettings";
import { Waiting } from "../../parts/waiting";

/** NewExperiment starts a test run. A run in rooms ends on the list of its rooms, whose tokens are shown only then. */
export function NewExperiment() {
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
      {may && !rooms && agents.data && datasets.data && <Form agents={agents.data.data ?? []} datasets={datasets.data.data ?? []} made={setRooms} />}
    </Page>
  );
}

type Agents = NonNullable<NonNullable<ReturnType<typeof useAgents>["data"]>["data"]>;
type Datasets = NonNullable<NonNullable<ReturnType<typeof useDatasets>["data"]>["data"]>;

interface FormProps {
  agents: Agents;
  datasets: Datasets;
  made: (rooms: MadeRooms) => void;
}

function Form({ agents, datasets, made }: FormProps) {
  const search = newExperimentRoute.useSearch();
  const go = useGo();
  const [blank] = useState<RunForm>(() => ({
    ...Blank, agent: search.agent ?? (agents.length === 1 ? (agents[0]?.id ?? "") : ""), dataset: search.dataset ?? (datasets.length === 1 ? (datasets[0]?.id ?? "") : ""),
  }));
  const [form, setForm] = useState(blank);
  const [tried, setTried] = useState(false);
  const agent = agents.find((one) => one.id === form.agent);
  const to = agent?.defaults.to_number ?? "";
  const set = (part: Partial<RunForm>) => setForm((old) => ({ ...old, ...part }));
  const start = useMutation({ mutationFn: () => begin(form, to), onSuccess: (began) => (typeof began === "string" ? go({ to: "/experiments/$id", params: { id: began } }, true) : made(began)) });
  useUnsaved(JSON.stringify(form) !== JSON.stringify(blank) && !start.isSuccess, "the test run");
  const problem = start.isError ? problemOf(start.error) : undefined;
  const gaps = missing(form, to);
  const spoilt = unread(form);
  const errors = { ...(problem && placesOf(fieldsOf(problem))), ...(tried && gaps), ...spoilt };
  const ready = Object.keys({ ...gaps, ...spoilt }).length === 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (ready) start.mutate();
  };
  if (datasets.length === 0 || agents.length === 0) return <Lacking agents={agents.length} />;
  return (
    <form onSubmit={submit} noValidate>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack className="rt-panel" p="md" gap="md">
            <NativeSelect label="Agent" withAsterisk={form.line === "phone"} value={form.agent} error={errors["agent_id"]} onChange={(event) => set({ agent: event.currentTarget.value, prompt: "", scorers: null })} data={[{ value: "", label: form.line === "rooms" ? "No particular agent" : "Choose an agent" }, ...agents.map(option)]} />
            <NativeSelect label="Dataset" withAsterisk value={form.dataset} error={errors["dataset_id"]} onChange={(event) => set({ dataset: event.currentTarget.value, items: [] })} data={[{ value: "", label: "Choose a dataset" }, ...datasets.map(option)]} />
            {form.dataset && <ItemChoice dataset={form.dataset} chosen={form.items} choose={(items) => set({ items })} error={errors["dataset_item_ids"]} />}
            <Line form={form} set={set} to={to} errors={errors} />
            {form.line === "phone" && <Settings form={form} set={set} agent={agent} errors={errors} />}
            {form.line === "rooms" && (
              <Text size="sm" c="dimmed">
                Each scenario gets one room and one call. Prompt, scorers and limits are the agent's test defaults. The next page lists the rooms that the agent has to join, with a token for each.
              </Text>
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="sm">
            {form.line === "phone" && <Expected form={form} to={to} ready={ready} spoilt={Object.keys(spoilt).length > 0} />}
            {problem && <ProblemBox error={problem} />}
            <Group>
              <Button type="submit" loading={start.isPending} leftSection={<IconPlayerPlay size={16} />}>
                {form.line === "rooms" ? "Create the rooms" : "Start the calls"}
              </Button>
              <Button variant="default" renderRoot={linked({ to: "/experiments" })}>
                Cancel
              </Button>
            </Group>
          </Stack>
        </Grid.Col>
      </Grid>
    </form>
  );
}

/** Expected is what a run by telephone would come to, or what it still lacks: a trunk, or fields of the form. spoilt says that one of those holds no number. */
function Expected({ form, to, ready, spoilt }: { form: RunForm; to: string; ready: boolean; spoilt: boolean }) {
  const noTrunk = useTrunks()?.data?.length === 0;
  return (
    <>
      {noTrunk && <NoTrunk />}
      {ready && !noTrunk && <Estimate agent={form.agent} body={runOf(form, to)} />}
      {!ready && (
        <Text className="rt-panel" p="md" size="sm" c="dimmed">
          The estimate appears once agent, dataset and phone number are filled in{spoilt && " and every number is valid"}.
        </Text>
      )}
    </>
  );
}

/** begin starts the run and resolves to its id, or to its rooms. */
async function begin(form: RunForm, to: string): Promise<string | MadeRooms> {
  if (form.line === "rooms") {
    const { data, error } = await api.POST("/test-runs/create-media-rooms", { body: roomsOf(form) });
    if (error) throw error;
    return data;
  }
  const { data, error } = await api.POST("/voice-agent/{agent_id}/run", { params: { path: { agent_id: form.agent } }, body: runOf(form, to) });
  if (error) throw error;
  return data.voice_experiment_id;
}

interface LineProps {
  form: RunForm;
  set: (part: Partial<RunForm>) => void;
  to: string;
  errors: Record<string, string>;
}

function Line({ form, set, to, errors }: LineProps) {
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500} id="line">
        How to reach the agent
      </Text>
      <SegmentedControl aria-labelledby="line" w="fit-content" value={form.line} onChange={(line) => set({ line: line === "rooms" ? "rooms" : "phone" })} data={[{ value: "phone", label: "Telephone" }, { value: "rooms", label: "Media rooms" }]} />
      {form.line === "phone" ? (
        <TextInput
          label="Phone number" type="tel" withAsterisk={!to} placeholder={to || "+15550100"} value={form.to} onChange={(event) => set({ to: event.currentTarget.value })} error={errors["to_number"]}
          description={to ? `Leave empty to dial ${to}, the agent's own number` : "In international format"} autoComplete="off"
        />
      ) : (
        <TextInput
          label="Agent worker" value={form.worker} onChange={(event) => set({ worker: event.currentTarget.value })} error={errors["agent_name"]} autoComplete="off"
          description="The name under which agent workers are registered at the media server: one is sent into each room. Leave empty if agents join by themselves."
        />
      )}
    </Stack>
  );
}

/** NoTrunk says how to configure a trunk, and how to try without a provider. */
function NoTrunk() {
  return (
    <Alert color="yellow" variant="light" role="note" title="The service cannot place telephone calls yet" styles={{ title: { color: "var(--rt-void)" } }}>
      <Stack gap={6}>
        <Text size="sm">
          It was started without a trunk. Start it with your provider's trunk: <span className="rt-mono rt-words">ringtrue serve --trunk main=sip://user:password@host</span>
        </Text>
        <Text size="sm">
          To try it without a provider, run the practice agent, <span className="rt-mono rt-words">ringtrue practice</span>, and start the service with{" "}
          <span className="rt-mono rt-words">--trunk practice=sip://127.0.0.1:5070</span>. Any number then reaches it.
        </Text>
      </Stack>
    </Alert>
  );
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

function option({ id, name }: { id: string; name: string }) {
  return { value: id, label: name };
}
