import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { Copy } from "../../parts/copy";
import type { Fault } from "./draft";
import classes from "./editor.module.css";
import { ItemForm } from "./form";
import { JsonEditor } from "./json";

/** Sides shows a scenario as a form and as JSON: side by side where there is room, else one of them. */
export function Sides({ text, write, faults, readOnly, id }: { text: string; write: (text: string) => void; faults: Fault[]; readOnly: boolean; id?: string }) {
  const wide = useMediaQuery("(min-width: 1180px)", true, { getInitialValueInEffect: false });
  const [side, setSide] = useState("form");
  const json = (
    <Stack gap={6} className={wide ? classes.beside : undefined}>
      <JsonEditor text={text} change={write} faults={faults} readOnly={readOnly} />
      {id && (
        <Group gap={4}>
          <Text size="xs" c="dimmed" className="rt-mono">
            {id}
          </Text>
          <Copy value={id} label="Copy the scenario's id" />
        </Group>
      )}
    </Stack>
  );
  const form = (
    <div className={`rt-panel ${classes.panel}`}>
      <ItemForm />
    </div>
  );
  if (wide) {
    return (
      <div className={classes.sides}>
        {form}
        {json}
      </div>
    );
  }
  return (
    <Stack gap="xs">
      <SegmentedControl aria-label="How to write it" value={side} onChange={setSide} data={[{ value: "form", label: "Form" }, { value: "json", label: "JSON" }]} />
      {side === "form" ? form : json}
    </Stack>
  );
}
