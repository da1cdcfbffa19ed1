import { Button, Checkbox, Group, Input, JsonInput, MultiSelect, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { EndReasons } from "../../parts/endreasons";
import { plain } from "../../parts/format";
import { Adding, Entries, Remove } from "../../parts/remove";
import { bagOf, listOf, type Place, textOf } from "./draft";
import { useField } from "./field";
import { AreaField, NumberField, PairsField, PhrasesField, TextField } from "./fields";
import classes from "./form.module.css";
import { StepsField } from "./steps";

/** ItemForm edits the common keys of an item; for all others there is the JSON beside it. */
export function ItemForm() {
  return (
    <div className={classes.form}>
      <Section title="Who calls, and why">
        <div className={classes.grid}>
          <TextField place={["key"]} label="Key" hint="Your own name for it" placeholder="book-appointment" />
          <TextField place={["input", "language"]} label="Language" hint="Language tag" placeholder="en-US" />
        </div>
        <AreaField place={["input", "goal"]} label="Goal" hint="What the caller wants. Without a script a language model plays it." placeholder="Move the appointment to Friday" />
        <div className={classes.grid}>
          <TextField place={["input", "persona", "name"]} label="Name" placeholder="Ann Lee" />
          <TextField place={["input", "persona", "voice"]} label="Voice" placeholder="the engine's" />
          <TextField place={["input", "persona", "accent"]} label="Accent" placeholder="en-scotland" />
          <NumberField place={["input", "persona", "pitch"]} label="Pitch" placeholder="1 (0.5 to 2)" decimal />
          <NumberField place={["input", "persona", "pace"]} label="Pace" placeholder="1 (0.5 to 2)" decimal />
          <NumberField place={["input", "persona", "patience_ms"]} label="Patience, ms" placeholder="700" />
        </div>
        <PairsField place={["input", "facts"]} label="Facts the caller knows" hint="Use them in lines as {name}" noun="fact" />
      </Section>
      <Section title="What the caller does">
        <StepsField place={["input", "script"]} label="Script" hint="Lines, and behaviours such as interrupting, staying silent or pressing keys" />
        <div className={classes.grid}>
          <NumberField place={["input", "limits", "max_duration_ms"]} label="Longest call, ms" placeholder="300000" />
          <NumberField place={["input", "limits", "max_silence_ms"]} label="Longest silence, ms" placeholder="10000" />
          <NumberField place={["input", "limits", "max_turns"]} label="Most turns (of a goal)" placeholder="30" />
        </div>
      </Section>
      <Expected />
      <Text size="xs" c="dimmed">
        Edit metadata and everything else in the JSON.
      </Text>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.section}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

function Expected() {
  return (
    <Section title="What is expected of the agent">
      <PhrasesField place={["output", "say"]} label="It must say" hint="In any turn" noun="phrase" />
      <PhrasesField place={["output", "do_not_say"]} label="It must not say" noun="phrase" />
      <PairsField place={["output", "facts_stated"]} label="Facts it must state" hint="Numbers, amounts, times and dates match however they are spoken" noun="fact" />
      <ToolCalls />
      <PhrasesField place={["output", "rubric"]} label="Rubric" hint="Assertions in plain language for a language-model judge" placeholder="The agent offers another day" noun="assertion" />
      <Ending />
      <Input.Wrapper label="Timing, ms" labelElement="div">
        <div className={classes.grid} style={{ marginTop: 4 }}>
          {Timings.map(([key, label]) => (
            <NumberField key={key} place={["output", "timing", key]} label={label} />
          ))}
        </div>
      </Input.Wrapper>
    </Section>
  );
}

const Timings: [string, string][] = [
  ["time_to_first_word_ms", "First word within"], ["turn_latency_p50_ms", "Turn latency p50"], ["turn_latency_p95_ms", "Turn latency p95"], ["turn_latency_max_ms", "Turn latency, longest"],
  ["longest_dead_air_ms", "Longest dead air"], ["overlap_ms", "Total overlap"], ["yield_time_ms", "Yields within"], ["duration_min_ms", "Call at least"], ["duration_max_ms", "Call at most"],
];

function Ending() {
  const reasons = useField(["output", "outcome", "end_reasons"]);
  const done = useField(["output", "outcome", "script_done"]);
  return (
    <Stack gap={6}>
      <MultiSelect
        label="The call may end as" placeholder="any end that is not the agent's fault" data={EndReasons.map((value) => ({ value, label: plain(value) }))} searchable clearable
        clearButtonProps={{ "aria-label": "Any end" }} value={listOf(reasons.value).map(textOf)} error={reasons.error} readOnly={reasons.readOnly} onChange={(next) => reasons.set(next.length > 0 ? next : undefined)}
      />
      <Checkbox
        label="The caller must reach the end of its script" checked={done.value === true} disabled={done.readOnly} error={done.error}
        onChange={(event) => done.set(event.currentTarget.checked || undefined)}
      />
    </Stack>
  );
}

function ToolCalls() {
  const { value, set, error, readOnly } = useField(["output", "tool_calls"]);
  const list = listOf(value);
  return (
    <Input.Wrapper inputWrapperOrder={["label", "description", "input", "error"]} label="Tools it must call" description="Read from the agent's own record of the call" error={error} labelElement="div">
      <Stack gap={8} mt={4} {...Entries}>
        {list.map((_, n) => (
          <ToolCall key={n} place={["output", "tool_calls", n]} number={n + 1} />
        ))}
        {!readOnly && (
          <Button variant="subtle" size="compact-xs" w="fit-content" leftSection={<IconPlus size={13} />} onClick={() => set([...list, { name: "" }])} {...Adding}>
            Add tool
          </Button>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

function ToolCall({ place, number }: { place: Place; number: number }) {
  const whole = useField(place);
  const name = useField([...place, "name"]);
  const never = useField([...place, "never"]);
  const tool = bagOf(whole.value);
  return (
    <Stack gap={6}>
      <Group gap={8} wrap="nowrap" align="flex-start">
        <TextInput
          flex={1} aria-label={`Name of tool ${number}`} placeholder="book_appointment" value={textOf(tool["name"])} error={name.error ?? whole.error} readOnly={whole.readOnly}
          onChange={(event) => name.set(event.currentTarget.value)}
        />
        <Checkbox mt={8} label="never" aria-label={`Tool ${number} must never be called`} checked={tool["never"] === true} disabled={whole.readOnly} onChange={(event) => never.set(event.currentTarget.checked || undefined)} />
        {!whole.readOnly && <Remove mt={4} label={`Remove tool ${number}`} act={() => whole.set(undefined)} />}
      </Group>
      <Arguments place={[...place, "arguments"]} number={number} />
    </Stack>
  );
}

/** Arguments are written as JSON; they are taken over as soon as they can be read. */
function Arguments({ place, number }: { place: Place; number: number }) {
  const { value, set, error, readOnly } = useField(place);
  const json = value === undefined ? "" : JSON.stringify(value);
  // The text stays as it was typed only as long as the item has what it stands for: the JSON beside the form, or a tool that is removed, may put something else here.
  const [typed, setTyped] = useState({ text: json, json });
  const write = (text: string) => {
    const next = text.trim() === "" ? { value: undefined } : parsed(text);
    if (next) set(next.value);
    setTyped({ text, json: next ? (JSON.stringify(next.value) ?? "") : json });
  };
  return (
    <JsonInput
      aria-label={`Arguments of tool ${number}`} placeholder='Required arguments: {"day": "tuesday"}' autosize minRows={1} maxRows={8} readOnly={readOnly} error={error}
      validationError="This is not JSON" value={typed.json === json ? typed.text : json} onChange={write} styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
    />
  );
}

/** parsed reads JSON; undefined when the text is none, or none yet: the field says so when it is left. */
function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
