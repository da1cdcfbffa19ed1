import { Button, Grid, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { api, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import type { Named } from "../../api/names";
import { fieldsOf, problemOf } from "../../api/problem";
import { linked, useGo } from "../../parts/go";
import { ProblemBox } from "../../parts/problem";
import { useUnsaved } from "../../parts/unsaved";
import { Expected } from "./expected";
import { ItemChoice } from "./itemchoice";
import { LineChoice } from "./linechoice";
import type { MadeRooms } from "./roomlist";
import { Blank, existing, missing, placesOf, roomsOf, type RunForm, runOf, unread } from "./runform";
import { Settings } from "./runsettings";

interface StartFormProps {
  agents: Schemas["Agent"][];
  datasets: Named[];
  /** asked are the agent and the dataset that the address names. */
  asked: { agent?: string; dataset?: string };
  made: (rooms: MadeRooms) => void;
}

/** StartForm is what a test run is to be, what it would come to, and the button that starts it. */
export function StartForm(props: StartFormProps) {
  const run = useRun(props);
  const { form, to, ready, spoilt, problem } = run;
  return (
    <form onSubmit={run.submit} noValidate>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Chosen {...props} run={run} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="sm">
            {form.line === "phone" && <Expected form={form} to={to} ready={ready} spoilt={spoilt} />}
            {problem && <ProblemBox error={problem} />}
            <Group>
              <Button type="submit" loading={run.starting} leftSection={<IconPlayerPlay size={16} />}>
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

/** useRun is the form while it is filled in and sent: what is wrong with it, and whether it is ready. spoilt says that a number field holds no number. */
function useRun({ agents, datasets, asked, made }: StartFormProps) {
  const go = useGo();
  const [blank] = useState<RunForm>(() => ({
    ...Blank, agent: asked.agent ?? (agents.length === 1 ? (agents[0]?.id ?? "") : ""), dataset: asked.dataset ?? (datasets.length === 1 ? (datasets[0]?.id ?? "") : ""),
  }));
  const [written, write] = useState(blank);
  const form = existing(written, agents, datasets);
  const [tried, setTried] = useState(false);
  const agent = agents.find((one) => one.id === form.agent);
  const to = agent?.defaults.to_number ?? "";
  const set = (part: Partial<RunForm>) => write((old) => ({ ...old, ...part }));
  const start = useMutation({ mutationFn: () => begin(form, to), onSuccess: (began) => (typeof began === "string" ? go({ to: "/experiments/$id", params: { id: began } }, true) : made(began)) });
  useUnsaved(JSON.stringify(written) !== JSON.stringify(blank) && !start.isSuccess, "the test run");
  const problem = start.isError ? problemOf(start.error) : undefined;
  const gaps = missing(form, to);
  const wrong = unread(form);
  const errors: Record<string, string> = { ...(problem && placesOf(fieldsOf(problem))), ...(tried && gaps), ...wrong };
  const ready = Object.keys({ ...gaps, ...wrong }).length === 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (ready) start.mutate();
  };
  return { form, set, agent, to, errors, ready, spoilt: Object.keys(wrong).length > 0, problem, starting: start.isPending, submit };
}

interface ChosenProps {
  agents: Named[];
  datasets: Named[];
  run: ReturnType<typeof useRun>;
}

/** Chosen are the fields of the form. */
function Chosen({ agents, datasets, run: { form, set, agent, to, errors } }: ChosenProps) {
  return (
    <Stack className="rt-panel" p="md" gap="md">
      <NativeSelect
        label="Agent" withAsterisk={form.line === "phone"} value={form.agent} error={errors["agent_id"]} onChange={(event) => set({ agent: event.currentTarget.value, prompt: "", scorers: null })}
        data={[{ value: "", label: form.line === "rooms" ? "No particular agent" : "Choose an agent" }, ...agents.map(option)]}
      />
      <NativeSelect
        label="Dataset" withAsterisk value={form.dataset} error={errors["dataset_id"]} onChange={(event) => set({ dataset: event.currentTarget.value, items: [] })}
        data={[{ value: "", label: "Choose a dataset" }, ...datasets.map(option)]}
      />
      {form.dataset && <ItemChoice key={form.dataset} dataset={form.dataset} chosen={form.items} choose={(items) => set({ items })} error={errors["dataset_item_ids"]} />}
      <LineChoice form={form} set={set} to={to} errors={errors} />
      {form.line === "phone" && <Settings form={form} set={set} agent={agent} errors={errors} />}
      {form.line === "rooms" && (
        <Text size="sm" c="dimmed">
          Each scenario gets one room and one call. Prompt, scorers and limits are the agent's test defaults. The next page lists the rooms that the agent has to join, with a token for each.
        </Text>
      )}
    </Stack>
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

function option({ id, name }: { id: string; name: string }) {
  return { value: id, label: name };
}
