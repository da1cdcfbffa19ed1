import { NumberInput, Text, TextInput } from "@mantine/core";
import { type Place, textOf } from "./draft";
import { useField } from "./field";

/** Line is a one-line text of a step. */
export function Line({ place, label, placeholder }: { place: Place; label: string; placeholder?: string }) {
  const { value, set, error, readOnly } = useField(place);
  return <TextInput aria-label={label} placeholder={placeholder} value={textOf(value)} error={error} readOnly={readOnly} onChange={(event) => set(event.currentTarget.value)} />;
}

/** Millis is a length of time of a step, in ms. */
export function Millis({ place, label, placeholder }: { place: Place; label: string; placeholder?: string }) {
  return <Whole place={place} label={label} placeholder={placeholder} unit="ms" />;
}

/** Whole is a whole number of a step, with its unit. */
export function Whole({ place, label, placeholder, unit }: { place: Place; label: string; placeholder?: string; unit: string }) {
  const { value, set, error, readOnly } = useField(place);
  return (
    <NumberInput
      w={170} aria-label={label} placeholder={placeholder} value={typeof value === "number" ? value : textOf(value)} error={error} readOnly={readOnly} hideControls
      rightSection={<Text size="xs" c="dimmed">{unit}</Text>} rightSectionWidth={44} onChange={(next) => set(next === "" ? undefined : next)}
    />
  );
}
