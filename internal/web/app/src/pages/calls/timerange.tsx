import { Button, Popover, Stack, TextInput } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import type { Filter } from "./filter";

/** Bounds are times that the address takes in every zone. Without them browsers take years of up to six digits, and a year that is being typed, as 202. */
const Bounds = { min: "1970-01-02T00:00", max: "9999-12-30T23:59" };

/** TimeRange narrows to calls between two moments, in the reader's zone. */
export function TimeRange({ filter, change }: { filter: Filter; change: (part: Partial<Filter>) => void }) {
  const [opened, setOpened] = useState(false);
  const [from, setFrom] = useState("");
  const [until, setUntil] = useState("");
  const open = () => {
    setFrom(local(filter.from));
    setUntil(local(filter.until));
    setOpened(!opened);
  };
  const [begin, end] = [instantOf(from, filter.from), instantOf(until, filter.until)];
  const wrong = begin !== undefined && end !== undefined && begin >= end;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wrong) return;
    change({ last: undefined, from: begin, until: end });
    setOpened(false);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<IconCalendar size={15} />} onClick={open}>
          Between
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <Stack gap="xs">
            <TextInput type="datetime-local" {...Bounds} label="From" value={from} onChange={(event) => setFrom(event.currentTarget.value)} data-autofocus />
            <TextInput type="datetime-local" {...Bounds} label="Until" value={until} error={wrong && "must be later than “From”"} onChange={(event) => setUntil(event.currentTarget.value)} />
            <Button type="submit">Show these calls</Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

/**
 * instantOf is the time in a field. Where the field was not changed, it is exactly the time before: the field shows neither its seconds nor, in the hour that clocks
 * show twice, which of the two it is.
 */
export function instantOf(field: string, before: number | undefined): number | undefined {
  if (field === local(before)) return before;
  return field === "" ? undefined : new Date(field).getTime();
}

/** local writes a time in the reader's zone, as an input of type datetime-local takes it. */
export function local(ms: number | undefined): string {
  if (ms === undefined) return "";
  const at = new Date(ms);
  return new Date(ms - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
