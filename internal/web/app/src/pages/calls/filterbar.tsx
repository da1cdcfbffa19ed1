import { ActionIcon, Anchor, Button, Group, NativeSelect, Popover, Stack, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconFilter, IconSearch, IconTag, IconX } from "@tabler/icons-react";
import { type FormEvent, type MouseEvent, useState } from "react";
import { AgentChoice } from "../../parts/agentchoice";
import { plain } from "../../parts/format";
import { Choices, chipsOf, type Filter, pairOf, Spans, withPair } from "./filter";
import classes from "./list.module.css";
import { TimeRange } from "./timerange";

interface Props {
  filter: Filter;
  change: (part: Partial<Filter>) => void;
  clear: () => void;
  /** name gives the name of an agent by its id. */
  name: (id: string) => string;
}

/** FilterBar changes the filter. On a phone the fields are hidden behind a button. */
export function FilterBar({ filter, change, clear, name }: Props) {
  const select = (field: keyof typeof Choices, label: string, any: string, word: (value: string) => string = plain) => (
    <NativeSelect
      aria-label={label}
      value={filter[field] ?? ""}
      onChange={(event) => change({ [field]: event.currentTarget.value || undefined })}
      data={[{ value: "", label: any }, ...Choices[field].map((value) => ({ value, label: word(value) }))]}
    />
  );
  const [opened, setOpened] = useState(false);
  const narrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const timed = filter.from !== undefined || filter.until !== undefined;
  const search = <Search value={filter.q ?? ""} set={(q) => change({ q: q || undefined })} />;
  return (
    <Stack gap="xs" role="search" aria-label="Filter calls">
      {narrow && (
        <Group gap="xs">
          {search}
          <Button variant="default" leftSection={<IconFilter size={15} />} aria-expanded={opened} onClick={() => setOpened(!opened)}>
            Filters
          </Button>
        </Group>
      )}
      <Group gap="xs" display={narrow && !opened ? "none" : undefined}>
        {!narrow && search}
        {select("origin", "Origin", "Any origin")}
        <AgentChoice value={filter.agent} choose={(agent) => change({ agent })} all="Any agent" />
        {select("verdict", "Verdict", "Any verdict")}
        {select("status", "Status", "Any status", (value) => plain(value.toLowerCase()))}
        {select("end", "End reason", "Any end")}
        {select("sentiment", "Feeling", "Any feeling")}
        {select("upset", "Upset", "Upset or not", (value) => (value === "true" ? "upset" : "not upset"))}
        <NativeSelect
          aria-label="Time"
          value={timed ? "fixed" : (filter.last ?? "")}
          onChange={(event) => change({ last: event.currentTarget.value || undefined, from: undefined, until: undefined })}
          data={[
            { value: "", label: "Any time" }, ...Object.entries(Spans).map(([value, { label }]) => ({ value, label })),
            ...(timed ? [{ value: "fixed", label: "from … until …" }] : []),
          ]}
        />
        <TimeRange filter={filter} change={change} />
        <Metadata add={(pair) => change({ meta: withPair(filter.meta ?? [], pair) })} />
      </Group>
      <Chips {...{ filter, change, clear, name }} />
    </Stack>
  );
}

/**
 * Chips are the active filters but for the search, which is seen in its own field: that one begins when the field is left, and its chip would push the others away
 * from under the pointer that is just pressing one.
 */
function Chips({ filter, change, clear, name }: Props) {
  const chips = chipsOf(filter, name).filter(({ key }) => key !== "q");
  if (chips.length === 0) return null;
  return (
    <Group gap={6} role="group" aria-label="Active filters">
      {chips.map((chip) => (
        <span key={chip.key} className={classes.chip}>
          <span className="rt-clip">{chip.label}</span>
          <ActionIcon
            size={18} color="gray" aria-label={`Remove ${chip.label}`} data-chip onClick={(event) => {
              passOn(event);
              change(chip.without);
            }}
          >
            <IconX size={12} />
          </ActionIcon>
        </span>
      ))}
      <Anchor
        component="button" type="button" size="xs" onClick={(event) => {
          toSearch(event);
          clear();
        }}
      >
        Clear all
      </Anchor>
    </Group>
  );
}

/** passOn gives the focus of a chip that will be gone to the next one, or the one before it, and without any to the search. */
function passOn(event: MouseEvent<HTMLElement>) {
  const chips = [...(event.currentTarget.closest("[role=search]")?.querySelectorAll<HTMLElement>("[data-chip]") ?? [])];
  const at = chips.indexOf(event.currentTarget);
  const beside = chips[at + 1] ?? chips[at - 1];
  if (!beside) toSearch(event);
  else if (event.detail === 0) beside.focus();
}

/**
 * toSearch gives the focus of a button that will be gone to the search: otherwise a keyboard user would be back at the top of the page. Whoever has pointed at the
 * button needs none, and on a telephone the search would bring up its keyboard.
 */
export function toSearch({ detail }: MouseEvent) {
  if (detail === 0) document.querySelector<HTMLElement>("[role=search] input[type=search]")?.focus();
}

/** Search looks for a call once Enter is pressed or the field is left: with each letter of an id another list would be asked for. */
function Search({ value, set }: { value: string; set: (value: string) => void }) {
  const [field, setField] = useState({ text: value, value });
  // Drawn anew under another key instead, the field would lose the focus at Enter.
  if (value !== field.value) setField({ text: value, value });
  const { text } = field;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set(text.trim());
  };
  return (
    <form onSubmit={submit} className={classes.search}>
      <TextInput
        type="search"
        aria-label="Search by id or number"
        placeholder="Id or number"
        maxLength={128}
        leftSection={<IconSearch size={15} />}
        value={text}
        onChange={(event) => setField({ text: event.currentTarget.value, value })}
        onBlur={() => text.trim() !== value && set(text.trim())}
      />
    </form>
  );
}

/** Metadata asks for one more key and value to narrow by. */
function Metadata({ add }: { add: (pair: string) => void }) {
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add(pairOf(name.trim(), value));
    setOpened(false);
    setName("");
    setValue("");
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<IconTag size={15} />} onClick={() => setOpened(!opened)}>
          Metadata
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <Stack gap="xs">
            <TextInput label="Key" required pattern=".*\S.*" maxLength={256} value={name} onChange={(event) => setName(event.currentTarget.value)} data-autofocus />
            <TextInput label="Value" value={value} onChange={(event) => setValue(event.currentTarget.value)} />
            <Button type="submit">Show these calls</Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
