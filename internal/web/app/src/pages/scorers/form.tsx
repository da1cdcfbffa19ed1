import { Autocomplete, Button, Checkbox, Group, Input, JsonInput, MultiSelect, NativeSelect, NumberInput, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { queries, type Schemas } from "../../api/client";
import { capitalized } from "../../api/problem";
import { EndReasons } from "../../parts/endreasons";
import { plain } from "../../parts/format";
import { notNumber, notWhole } from "../../parts/number";
import { Adding, Entries, Remove } from "../../parts/remove";
import { areParams, type Draft, errorOf, readable } from "./params";

type Param = Schemas["ScorerParam"];

interface ScorerFormProps {
  draft: Draft;
  change: (draft: Draft) => void;
  /** fields are messages by path: "params.phrase". */
  fields: Record<string, string>;
  readOnly: boolean;
  slug?: string;
}

/** ScorerForm edits what a scorer checks: its kind, and the settings that the service lists for this kind. */
export function ScorerForm({ draft, change, fields, readOnly, slug }: ScorerFormProps) {
  const { data } = queries.useQuery("get", "/scorer-kinds", {}, { staleTime: Number.POSITIVE_INFINITY });
  const [json, setJSON] = useState(false);
  const switchTo = (next: boolean) => {
    setJSON(next);
    if (draft.unread?.length) change({ ...draft, unread: [] }); // the text that could not be read is gone
  };
  const kind = data?.data.find((each) => each.kind === draft.kind);
  const known = new Set(kind?.params?.map((param) => param.name));
  const rare = Object.keys(draft.params).filter((name) => kind && !known.has(name));
  const unplaced = Object.entries(fields).filter(([place]) => place.startsWith("params") && (place === "params" || !known.has(place.replace(/^params\./, "").split(/[.[]/)[0] ?? "")));
  return (
    <Stack gap="sm">
      {readOnly ? <TextInput label="Kind" readOnly value={plain(draft.kind)} description={kind && capitalized(kind.summary)} /> : <NativeSelect
        label="Kind" value={draft.kind} error={fields["kind"]} description={kind && capitalized(kind.summary)}
        data={(data?.data ?? [{ kind: draft.kind }]).map((each) => ({ value: each.kind, label: plain(each.kind) }))} onChange={(event) => change({ ...draft, kind: event.currentTarget.value, params: {}, unread: [] })}
      />}
      {kind?.needs_record && <Text size="xs" c="dimmed">It reads the agent's own record of the call, and is “not evaluated” until that has arrived.</Text>}
      <TextInput label="Name" placeholder={slug ?? "the slug"} value={draft.name} readOnly={readOnly} error={fields["name"]} onChange={(event) => change({ ...draft, name: event.currentTarget.value })} />
      {json || rare.length > 0 ? (
        <AsJson key={draft.kind} draft={draft} change={change} readOnly={readOnly} />
      ) : (
        kind?.params?.map((param) => (
          <Setting
            key={`${draft.kind} ${param.name}`} param={param} value={draft.params[param.name]} error={errorOf(fields, param.name)} readOnly={readOnly}
            set={(value) => change(readable(draft, param.name, { value }))} spoil={() => change(readable(draft, param.name, undefined))}
          />
        ))
      )}
      {unplaced.map(([place, message]) => (
        <Text key={place} size="sm" c="var(--mantine-color-error)">
          <span className="rt-mono">{place}</span> {message}
        </Text>
      ))}
      {rare.length === 0 && <Checkbox label="Write the settings as JSON" checked={json} onChange={(event) => switchTo(event.currentTarget.checked)} />}
      <Checkbox
        label="For information only: it does not decide a call's verdict" checked={draft.optional} disabled={readOnly} error={fields["optional"]}
        onChange={(event) => change({ ...draft, optional: event.currentTarget.checked })}
      />
    </Stack>
  );
}

function AsJson({ draft, change, readOnly }: { draft: Draft; change: (draft: Draft) => void; readOnly: boolean }) {
  const [text, setText] = useState(() => JSON.stringify(draft.params, null, 2));
  return (
    <JsonInput
      label="Settings" value={text} error={shapeOf(text)} readOnly={readOnly} autosize minRows={4} maxRows={20} validationError="This is not JSON" styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      onChange={(next) => {
        setText(next);
        try {
          change(readable(draft, "", { value: JSON.parse(next) }));
        } catch {
          change(readable(draft, "", undefined)); // not valid yet; the field says so when it is left
        }
      }}
    />
  );
}

/** shapeOf is the message for a text that is valid JSON but no object. */
function shapeOf(text: string): string | undefined {
  try {
    return text.trim() !== "" && areParams(JSON.parse(text)) ? undefined : "Write an object: {…}";
  } catch {
    return undefined; // the field says so when it is left
  }
}

interface SettingProps {
  param: Param;
  value: unknown;
  error: string | undefined;
  readOnly: boolean;
  set: (value: unknown) => void;
  /** spoil reports that the text in the field cannot be read. */
  spoil: () => void;
}

const Choices: Record<string, string[]> = { stat: ["p95", "n", "mean", "p50", "p90", "p99", "min", "max"], speaker: ["agent", "caller"] };

/** Setting is one setting, with the widget for its type. */
function Setting({ param, value, error, readOnly, set, spoil }: SettingProps) {
  const common = { label: capitalized(plain(param.name)), description: param.meaning, error, readOnly, required: param.required };
  const text = typeof value === "string" ? value : "";
  const choices = Choices[param.name];
  if (choices) return <NativeSelect {...common} disabled={readOnly} value={text} data={["", ...choices]} onChange={(event) => set(event.currentTarget.value || undefined)} />;
  if (param.name === "any_of") {
    return <MultiSelect {...common} searchable data={EndReasons.map((code) => ({ value: code, label: plain(code) }))} value={Array.isArray(value) ? value.map(String) : []} onChange={set} />;
  }
  if (param.name === "metric") return <Metric {...common} value={text} onChange={set} />;
  switch (param.type) {
    case "boolean":
      return <Checkbox label={common.label} description={param.meaning} error={error} disabled={readOnly} checked={value === true} onChange={(event) => set(event.currentTarget.checked || undefined)} />;
    case "integer":
    case "number":
      return <Figure {...common} whole={param.type === "integer"} value={value} set={set} />;
    case "array of strings":
      return <Texts {...common} value={Array.isArray(value) ? value.map(String) : []} set={set} />;
    case "object":
      return <Json {...common} value={value} set={set} spoil={spoil} />;
    default:
      return ["expression", "instruction", "pattern"].includes(param.name) ? (
        <Textarea {...common} autosize minRows={2} maxRows={12} value={text} onChange={(event) => set(event.currentTarget.value)} styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }} />
      ) : (
        <TextInput {...common} value={text} onChange={(event) => set(event.currentTarget.value)} />
      );
  }
}

interface CommonProps {
  label: string;
  description: string;
  error: string | undefined;
  readOnly: boolean;
  required: boolean;
}

/** Figure is a number. While it is being typed it may be a text such as "1.", which must stay as it is to become 1.5. */
function Figure({ whole, value, set, error, ...common }: CommonProps & Pick<SettingProps, "value" | "set"> & { whole: boolean }) {
  const shown = typeof value === "number" || typeof value === "string" ? value : "";
  const wrong = (whole ? notWhole : notNumber)(String(shown));
  return <NumberInput {...common} hideControls value={shown} error={wrong ?? error} onChange={(next) => set(next === "" ? undefined : next)} />;
}

/** Metric is the name of a metric; it suggests those that the latest call has. */
function Metric({ value, onChange, ...common }: CommonProps & { value: string; onChange: (value: string) => void }) {
  const calls = queries.useQuery("get", "/calls", { params: { query: { limit: 1, scoring_status: "SCORED" } } });
  const id = calls.data?.data[0]?.id;
  const call = queries.useQuery("get", "/calls/{id}", { params: { path: { id: id ?? "" } } }, { enabled: id !== undefined, staleTime: Number.POSITIVE_INFINITY });
  return <Autocomplete {...common} data={Object.keys(call.data?.metrics ?? {}).sort()} value={value} onChange={onChange} limit={200} maxDropdownHeight={260} />;
}

function Json({ value, set, spoil, ...common }: CommonProps & Pick<SettingProps, "value" | "set" | "spoil">) {
  const [text, setText] = useState(() => (value === undefined ? "" : JSON.stringify(value)));
  const write = (next: string) => {
    setText(next);
    try {
      set(next.trim() === "" ? undefined : JSON.parse(next));
    } catch {
      spoil(); // not valid yet; the field says so when it is left
    }
  };
  return <JsonInput {...common} value={text} onChange={write} autosize minRows={2} maxRows={10} validationError="This is not JSON" styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }} />;
}

function Texts({ label, description, error, readOnly, required, value, set }: CommonProps & { value: string[]; set: (value: string[]) => void }) {
  return (
    <Input.Wrapper inputWrapperOrder={["label", "description", "input", "error"]} label={label} description={description} error={error} required={required} labelElement="div">
      <Stack gap={6} mt={4} {...Entries}>
        {value.map((each, n) => (
          <Group key={n} gap={4} wrap="nowrap" align="flex-start">
            <Textarea flex={1} autosize minRows={1} aria-label={`${label} ${n + 1}`} value={each} readOnly={readOnly} onChange={(event) => set(value.with(n, event.currentTarget.value))} />
            {!readOnly && <Remove mt={4} label={`Remove ${label} ${n + 1}`} act={() => set(value.toSpliced(n, 1))} />}
          </Group>
        ))}
        {!readOnly && (
          <Button variant="subtle" size="compact-xs" w="fit-content" leftSection={<IconPlus size={13} />} onClick={() => set([...value, ""])} {...Adding}>
            Add one
          </Button>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
