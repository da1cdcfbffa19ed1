import { Button, Group, Input, NumberInput, Stack, Textarea, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type KeyboardEvent, useRef } from "react";
import { Adding, Entries, Remove } from "../../parts/remove";
import { bagOf, listOf, type Place, textOf } from "./draft";
import { useField } from "./field";

interface FieldProps {
  place: Place;
  label: string;
  hint?: string;
  placeholder?: string;
}

/** TextField is a line of text; when it is emptied the key is removed. */
export function TextField({ place, label, hint, placeholder }: FieldProps) {
  const { value, set, error, readOnly } = useField(place);
  return (
    <TextInput
      label={label} description={hint} placeholder={placeholder} value={textOf(value)} error={error} readOnly={readOnly}
      onChange={(event) => set(event.currentTarget.value || undefined)}
    />
  );
}

/** AreaField is the same for a longer text. */
export function AreaField({ place, label, hint, placeholder }: FieldProps) {
  const { value, set, error, readOnly } = useField(place);
  return (
    <Textarea
      label={label} description={hint} placeholder={placeholder} value={textOf(value)} error={error} readOnly={readOnly} autosize minRows={2} maxRows={10}
      onChange={(event) => set(event.currentTarget.value || undefined)}
    />
  );
}

/** NumberField is a number. What cannot be read as one is kept as text, about which the service complains. */
export function NumberField({ place, label, hint, placeholder, decimal = false }: FieldProps & { decimal?: boolean }) {
  const { value, set, error, readOnly } = useField(place);
  return (
    <NumberInput
      label={label} description={hint} placeholder={placeholder} value={typeof value === "number" ? value : textOf(value)} error={error} readOnly={readOnly} hideControls
      inputMode={decimal ? "decimal" : "numeric"} onChange={(next) => set(next === "" ? undefined : next)}
    />
  );
}

/** PhrasesField is a list of texts. Enter adds the next one. */
export function PhrasesField({ place, label, hint, placeholder, noun }: FieldProps & { noun: string }) {
  const { value, set, error, readOnly } = useField(place);
  const frame = useRef<HTMLDivElement>(null);
  const list = listOf(value);
  const add = () => {
    set([...list, ""]);
    requestAnimationFrame(() => [...(frame.current?.querySelectorAll("input") ?? [])].at(-1)?.focus());
  };
  return (
    <Input.Wrapper inputWrapperOrder={["label", "description", "input", "error"]} label={label} description={hint} error={error} labelElement="div">
      <Stack gap={6} mt={4} ref={frame} {...Entries}>
        {list.map((_, n) => (
          <Phrase key={n} place={[...place, n]} label={`${label} ${n + 1}`} placeholder={placeholder} next={add} />
        ))}
        {!readOnly && (
          <Button variant="subtle" size="compact-xs" w="fit-content" leftSection={<IconPlus size={13} />} onClick={add} {...Adding}>
            Add {noun}
          </Button>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

function Phrase({ place, label, placeholder, next }: FieldProps & { next: () => void }) {
  const { value, set, error, readOnly } = useField(place);
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return; // with an input method, Enter ends the choice of a character
    event.preventDefault();
    next();
  };
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <TextInput
        flex={1} aria-label={label} placeholder={placeholder} value={textOf(value)} error={error} readOnly={readOnly} onKeyDown={press}
        onChange={(event) => set(event.currentTarget.value)}
      />
      {!readOnly && <Remove mt={4} label={`Remove ${label}`} act={() => set(undefined)} />}
    </Group>
  );
}

/** PairsField is an object of texts: names with values. A name is taken over when its field is left, since with each letter another pair could have that name. */
export function PairsField({ place, label, hint, noun }: FieldProps & { noun: string }) {
  const { value, set, error, readOnly } = useField(place);
  const pairs = Object.entries(bagOf(value));
  const frame = useRef<HTMLDivElement>(null);
  const keep = (next: [string, unknown][]) => set(next.length > 0 ? Object.fromEntries(next) : undefined);
  const add = () => {
    const names = new Set(pairs.map(([name]) => name));
    let n = pairs.length + 1;
    while (names.has(`${noun}_${n}`)) n++;
    keep([...pairs, [`${noun}_${n}`, ""]]);
    requestAnimationFrame(() => frame.current?.querySelector<HTMLInputElement>("[data-pair]:nth-last-child(2) input")?.select());
  };
  /** rename gives a pair another name and returns the one that it has then: an empty name, or that of another pair, is not taken. */
  const rename = (at: number, name: string): string => {
    if (name === "" || pairs.some(([other], n) => n !== at && other === name)) return pairs[at]?.[0] ?? "";
    keep(pairs.map((pair, n) => (n === at ? [name, pair[1]] : pair)));
    return name;
  };
  return (
    <Input.Wrapper inputWrapperOrder={["label", "description", "input", "error"]} label={label} description={hint} error={error} labelElement="div">
      <Stack gap={6} mt={4} ref={frame} {...Entries}>
        {pairs.map(([name], n) => (
          <Group key={n} gap={4} wrap="nowrap" align="flex-start" data-pair>
            <TextInput
              key={name} w={150} aria-label={`Name of ${noun} ${n + 1}`} defaultValue={name} readOnly={readOnly} onBlur={(event) => {
                event.currentTarget.value = rename(n, event.currentTarget.value.trim());
              }}
            />
            <PairValue place={[...place, name]} label={`Value of ${name}`} />
            {!readOnly && <Remove mt={4} label={`Remove ${name}`} act={() => keep(pairs.toSpliced(n, 1))} />}
          </Group>
        ))}
        {!readOnly && (
          <Button variant="subtle" size="compact-xs" w="fit-content" leftSection={<IconPlus size={13} />} onClick={add} {...Adding}>
            Add {noun}
          </Button>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

function PairValue({ place, label }: FieldProps) {
  const { value, set, error, readOnly } = useField(place);
  return <TextInput flex={1} aria-label={label} value={textOf(value)} error={error} readOnly={readOnly} onChange={(event) => set(event.currentTarget.value)} />;
}
