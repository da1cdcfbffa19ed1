import { Checkbox, Collapse, Button, MultiSelect, NativeSelect, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { queries, type Schemas } from "../../api/client";
import { percent } from "../../parts/format";
import { TrunkChoice } from "../../parts/trunks";
import type { RunForm } from "./runform";

interface SettingsProps {
  form: RunForm;
  set: (part: Partial<RunForm>) => void;
  agent: Schemas["Agent"] | undefined;
  errors: Record<string, string>;
}

const All = { params: { query: { limit: 1000 } } };
const Inside = ["repetitions", "pass_threshold", "caller_prompt", "scorers", "trunk", "concurrent_calls", "calls_per_second"];

/** Settings override the test defaults of the agent for this run. */
export function Settings({ form, set, agent, errors }: SettingsProps) {
  const [open, { toggle }] = useDisclosure(false);
  const shown = open || Inside.some((place) => errors[place]);
  const own = agent?.defaults;
  return (
    <div>
      <Button variant="subtle" size="compact-sm" px={0} onClick={toggle} aria-expanded={shown} leftSection={shown ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}>
        Settings of this run
      </Button>
      <Text size="xs" c="dimmed">
        Whatever you leave empty uses the agent's test defaults. Nothing here changes the agent.
      </Text>
      <Collapse expanded={shown}>
        <Stack gap="sm" mt="sm">
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <Figure label="Calls per scenario" value={form.repetitions} change={(repetitions) => set({ repetitions })} standard={String(own?.repetitions ?? 1)} error={errors["repetitions"]} />
            <Figure label="Pass rate needed, %" value={form.threshold} change={(threshold) => set({ threshold })} standard={percent(own?.pass_threshold ?? 1)} error={errors["pass_threshold"]} />
            <Figure label="Calls at a time" value={form.concurrent} change={(concurrent) => set({ concurrent })} standard={own?.concurrent_calls?.toString() ?? "the trunk's limit"} error={errors["concurrent_calls"]} />
            <Figure label="Calls started per second" value={form.perSecond} change={(perSecond) => set({ perSecond })} standard={own?.calls_per_second?.toString() ?? "the trunk's limit"} error={errors["calls_per_second"]} />
          </SimpleGrid>
          <TrunkChoice value={form.trunk} choose={(trunk) => set({ trunk })} none={own?.trunk ? `The agent's default (${own.trunk})` : undefined} error={errors["trunk"]} />
          <PromptChoice form={form} set={set} own={own?.caller_prompt} error={errors["caller_prompt"]} />
          <ScorerChoice form={form} set={set} own={own?.scorers ?? []} error={errors["scorers"]} />
        </Stack>
      </Collapse>
    </div>
  );
}

interface FigureProps {
  label: string;
  value: string;
  change: (value: string) => void;
  standard: string;
  error: string | undefined;
}

/** Figure is a number in a plain text field: a NumberInput reports nothing, or another number, while its text is "0,5" or unfinished. */
function Figure({ label, value, change, standard, error }: FigureProps) {
  return <TextInput label={label} inputMode="decimal" autoComplete="off" value={value} placeholder={standard} error={error} onChange={(event) => change(event.currentTarget.value)} />;
}

interface ChoiceProps<Own> {
  form: RunForm;
  set: (part: Partial<RunForm>) => void;
  own: Own;
  error: string | undefined;
}

function PromptChoice({ form, set, own, error }: ChoiceProps<string | undefined>) {
  const prompts = queries.useQuery("get", "/prompts", All).data?.data ?? [];
  return (
    <NativeSelect
      label="Caller prompt" description="Plays the caller of scenarios without a script" value={form.prompt} error={error} onChange={(event) => set({ prompt: event.currentTarget.value })}
      data={[
        { value: "", label: `The agent's default (${own || "built in"})` }, { value: "none", label: "Built in" },
        ...prompts.map(({ slug, version }) => ({ value: `ref:${slug}`, label: `${slug} (newest, version ${version})` })),
      ]}
    />
  );
}

function ScorerChoice({ form, set, own, error }: ChoiceProps<string[]>) {
  const scorers = queries.useQuery("get", "/scorers", All).data?.data ?? [];
  const known = scorers.map(({ slug, name, version }) => ({ value: slug, label: `${name || slug} (version ${version})` }));
  const options = [...known, ...[...own, ...(form.scorers ?? [])].filter((ref, i, all) => !known.some(({ value }) => value === ref) && all.indexOf(ref) === i).map((ref) => ({ value: ref, label: ref }))];
  return (
    <Stack gap={6}>
      <Checkbox
        size="sm" label={`The agent's default scorers (${own.join(", ") || "none besides what the scenarios expect"})`} checked={form.scorers === null}
        onChange={(event) => set({ scorers: event.currentTarget.checked ? null : own })}
      />
      {form.scorers && (
        <MultiSelect label="Scorers for every call" description="In addition to what each scenario expects" searchable clearable data={options} value={form.scorers} onChange={(next) => set({ scorers: next })} error={error} />
      )}
    </Stack>
  );
}
