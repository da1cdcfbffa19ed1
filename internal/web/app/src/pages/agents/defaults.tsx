import { Autocomplete, Button, Group, NumberInput, SimpleGrid, Stack, TagsInput, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { queries, request, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { fieldsOf } from "../../api/problem";
import { refresh } from "../../api/refresh";
import { FormProblem } from "../../parts/dialogform";
import { notNumber, notWhole } from "../../parts/number";
import { TrunkChoice } from "../../parts/trunks";
import { useUnsaved } from "../../parts/unsaved";

type Agent = Schemas["Agent"];
type Defaults = Schemas["AgentDefaults"];

/** Draft is what the form holds; "" is a setting that is not set. */
type Draft = { name: string; sourceId: string } & { [key in Exclude<keyof Defaults, "scorers">]-?: string } & { scorers: string[] };

const Numbers = ["repetitions", "concurrent_calls", "calls_per_second", "ring_timeout_ms", "pass_threshold", "min_evaluated"] as const;

/** Fractions are the numbers that may have decimals. */
const Fractions: string[] = ["calls_per_second", "pass_threshold"] satisfies (typeof Numbers)[number][];

/** wrongIn is the message for a number that cannot be sent as it is. */
const wrongIn = (draft: Draft, key: (typeof Numbers)[number]) => (Fractions.includes(key) ? notNumber : notWhole)(draft[key]);

const text = (value: number | undefined) => (value === undefined ? "" : String(value));

function draftOf({ name, sourceId, defaults: d }: Agent): Draft {
  return {
    name, sourceId: sourceId ?? "", to_number: d.to_number ?? "", trunk: d.trunk ?? "", caller_prompt: d.caller_prompt ?? "", scorers: d.scorers ?? [],
    repetitions: text(d.repetitions), concurrent_calls: text(d.concurrent_calls), calls_per_second: text(d.calls_per_second), ring_timeout_ms: text(d.ring_timeout_ms),
    pass_threshold: text(d.pass_threshold), min_evaluated: text(d.min_evaluated),
  };
}

/** changeOf is a draft as it is sent. Empty settings are sent as well, since 0 and "" take a setting back to its default. */
export function changeOf({ name, sourceId, scorers, to_number, trunk, caller_prompt, ...rest }: Draft): Schemas["AgentChange"] {
  const numbers = Object.fromEntries(Numbers.map((key) => [key, Number(rest[key] || 0)]));
  return { name: name.trim(), sourceId: sourceId.trim(), defaults: { to_number: to_number.trim(), trunk: trunk.trim(), caller_prompt: caller_prompt.trim(), scorers, ...numbers } };
}

/** changedSince is the part of a draft that differs from how it began. Only this is sent: somebody else may have changed the rest meanwhile. */
export function changedSince(begun: Draft, draft: Draft): Schemas["AgentChange"] {
  const [{ defaults: before, ...was }, { defaults, ...is }] = [changeOf(begun), changeOf(draft)];
  return { ...differing(was, is), defaults: differing(before ?? {}, defaults ?? {}) };
}

function differing<T extends object>(before: T, now: T): Partial<T> {
  return Object.fromEntries(Object.entries(now).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof T]))) as Partial<T>;
}

/** agentQuery reads an agent. */
export const agentQuery = (id: string) => queries.queryOptions("get", "/agents/{id}", { params: { path: { id } } });

/** AgentForm changes an agent: its name, and the defaults of its test runs. Only what is written here is kept from the draft; the rest follows the agent, also when somebody else changes it. */
export function AgentForm({ agent, readOnly }: { agent: Agent; readOnly: boolean }) {
  const [written, setWritten] = useState<Partial<Draft>>({});
  const begun = draftOf(agent);
  const draft = { ...begun, ...written };
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: (sent: Draft) => request<Agent>("PATCH", `/agents/${encodeURIComponent(agent.id)}`, changedSince(begun, sent)),
    onSuccess: async (kept, sent) => {
      client.setQueryData(agentQuery(agent.id).queryKey, kept);
      setWritten((old) => differing<Partial<Draft>>(sent, old));
      await refresh("/agents");
    },
  });
  const fields = fieldsOf(saving.error);
  const dirty = JSON.stringify(draft) !== JSON.stringify(begun);
  useUnsaved(dirty, "the agent");
  const set = <K extends keyof Draft>(key: K, value: Draft[K]) => {
    if (!saving.isPending) saving.reset();
    setWritten((old) => ({ ...old, [key]: value }));
  };
  const line = (key: Exclude<keyof Draft, "scorers">, place = `defaults.${key}`) => ({
    value: draft[key], error: fields[place], readOnly, onChange: (event: { currentTarget: { value: string } }) => set(key, event.currentTarget.value),
  });
  const number = (key: (typeof Numbers)[number]) => ({
    value: draft[key], error: wrongIn(draft, key) ?? fields[`defaults.${key}`], readOnly, hideControls: true, onChange: (value: string | number) => set(key, String(value)),
  });
  return (
    <form
      className="rt-panel" style={{ padding: 14 }} onSubmit={(event) => {
        event.preventDefault();
        saving.mutate(draft);
      }}
    >
      <Stack maw={900}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label="Name" required {...line("name", "name")} />
          <TextInput label="Source id" description="Its id in your own system or platform" {...line("sourceId", "sourceId")} />
          <TextInput label="Number" description="Dialled unless a run names another number" placeholder="+15550100" {...line("to_number")} />
          <TrunkChoice value={draft.trunk} choose={(trunk) => set("trunk", trunk)} error={fields["defaults.trunk"]} disabled={readOnly} />
        </SimpleGrid>
        <Scorers value={draft.scorers} error={Object.entries(fields).filter(([place]) => place.startsWith("defaults.scorers")).map(([, message]) => message).join("; ")} readOnly={readOnly} change={(next) => set("scorers", next)} />
        <Prompt value={draft.caller_prompt} error={fields["defaults.caller_prompt"]} readOnly={readOnly} change={(next) => set("caller_prompt", next)} />
        <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }}>
          <NumberInput label="Repetitions" description="Calls per scenario" placeholder="1" {...number("repetitions")} />
          <NumberInput label="Pass threshold" description="Pass rate to reach, 0 to 1" placeholder="1" {...number("pass_threshold")} />
          <NumberInput label="Evaluated calls" description="At least this many are needed" placeholder="1" {...number("min_evaluated")} />
          <NumberInput label="Calls at a time" description="To this agent" placeholder="as the trunk allows" {...number("concurrent_calls")} />
          <NumberInput label="Calls per second" description="Started to this agent" placeholder="as the trunk allows" {...number("calls_per_second")} />
          <NumberInput label="Ringing, ms" description="How long to let it ring" placeholder="default" {...number("ring_timeout_ms")} />
        </SimpleGrid>
        <FormProblem error={saving.error} fields={fields} />
        {!readOnly && (
          <Group>
            <Button type="submit" loading={saving.isPending} disabled={!dirty || draft.name.trim() === "" || Numbers.some((key) => wrongIn(draft, key))}>
              Save
            </Button>
            <Text size="sm" c="dimmed" role="status">
              {saving.isSuccess && !dirty ? "Saved" : dirty ? "Not saved yet" : ""}
            </Text>
          </Group>
        )}
      </Stack>
    </form>
  );
}

interface RefsProps<Value> {
  value: Value;
  error?: string;
  readOnly: boolean;
  change: (value: Value) => void;
}

/** refsOf are suggestions for referring to versioned things: the newest version, and each of its labels. */
function refsOf(things: { slug: string; labels: string[] }[] | undefined): string[] {
  return (things ?? []).flatMap((thing) => [thing.slug, ...thing.labels.map((label) => `${thing.slug}@${label}`)]);
}

function Scorers({ value, error, readOnly, change }: RefsProps<string[]>) {
  const { data } = queries.useQuery("get", "/scorers", { params: { query: { limit: 1000 } } });
  return (
    <TagsInput
      label="Scorers for every call" description="slug for the newest version, slug@label or slug@3" data={refsOf(data?.data)} value={value} error={error || undefined} readOnly={readOnly} onChange={change}
      placeholder={value.length === 0 ? "none besides what the scenarios expect" : undefined} acceptValueOnBlur
    />
  );
}

function Prompt({ value, error, readOnly, change }: RefsProps<string>) {
  const { data } = queries.useQuery("get", "/prompts", { params: { query: { limit: 1000 } } });
  return (
    <Autocomplete
      label="Caller prompt" description="Plays the caller of scenarios without a script: slug, slug@label or slug@3" placeholder="the built-in one" data={refsOf(data?.data)} value={value} error={error}
      readOnly={readOnly} onChange={change}
    />
  );
}
