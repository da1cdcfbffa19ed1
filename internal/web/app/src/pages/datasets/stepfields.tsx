import { NumberInput, Text, TextInput } from "@mantine/core";
import { type Place, textOf } from "./draft";
import { useField } from "./field";

/** Line is a one-line text of a step. */
export function Line({ place, label, placeholder }: { place: Place; label: string; placeholder?: string }) {
  const { value, set, error, readOnly } = useField(place);
  return <TextInput aria-label={label} placeholder={placeholder} value={textOf(value)} error={error} readOnly={readOnly} onChange={(event) => set(event.currentTarget.value)} />;
}

interface NumberProps {
  place: Place;
  label: string;
  placeholder?: string;
  /** alone says that the number is the step itself: while the field is empty its key stays, or there would be no step, and no field, any more. */
  alone?: boolean;
}

/** Millis is a length of time of a step, in ms. */
export function Millis(props: NumberProps) {
  return <Whole {...props} unit="ms" />;
}

/** Whole is a whole number of a step, with its unit. */
export function Whole({ place, label, placeholder, alone = false, unit }: NumberProps & { unit: string }) {
  const { value, set, error, readOnly } = useField(place);
  return (
    <NumberInput
      w={170} aria-label={label} placeholder={placeholder} value={typeof value === "number" ? value : textOf(value)} error={error} readOnly={readOnly} hideControls
      rightSection={<Text size="xs" c="dimmed">{unit}</Text>} rightSectionWidth={44} onChange={(next) => set(next === "" && !alone ? undefined : next)}
    />
  );
}
