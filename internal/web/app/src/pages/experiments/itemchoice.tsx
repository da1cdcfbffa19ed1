import { Button, Checkbox, Group, ScrollArea, Stack, Text, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { queries, type Schemas } from "../../api/client";
import { byCursor, rowsOf } from "../../api/pages";
import { count } from "../../parts/format";
import { ProblemBox } from "../../parts/problem";
import { holdsWords } from "../../parts/search";

interface ItemChoiceProps {
  dataset: string;
  /** chosen are the ids of scenarios; none means all. */
  chosen: string[];
  choose: (ids: string[]) => void;
  error: string | undefined;
}

const Most = 300; // checkboxes that are drawn

/** ItemChoice chooses which scenarios of a dataset are played: all, or those that are ticked. */
export function ItemChoice({ dataset, chosen, choose, error }: ItemChoiceProps) {
  const [open, setOpen] = useState(chosen.length > 0);
  const [q, setQ] = useState("");
  const opener = useRef<HTMLButtonElement>(null);
  const list = queries.useInfiniteQuery("get", "/datasets/{id}/items", { params: { path: { id: dataset }, query: { limit: 1000 } } }, byCursor);
  const { hasNextPage: has, isFetchingNextPage, isError, fetchNextPage } = list;
  useEffect(() => {
    if (open && has && !isFetchingNextPage && !isError) void fetchNextPage(); // the search needs all of them
  }, [open, has, isFetchingNextPage, isError, fetchNextPage]);
  const items = (rowsOf<Schemas["Item"]>(list.data) ?? []).map((item) => ({ id: String(item.id), title: item.key || item.input?.goal || String(item.id) }));
  const many = `${count(items.length)}${has ? " and more" : ""}`;
  const found = items.filter((item) => holdsWords(q, item.title, item.id));
  const flip = (id: string) => choose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <Text size="sm" fw={500}>
          Scenarios
        </Text>
        <Text size="sm" c="dimmed">
          {list.isPending ? "…" : chosen.length > 0 ? `${count(chosen.length)} of ${many} chosen` : `all ${many}`}
        </Text>
        <Button ref={opener} variant="subtle" size="compact-xs" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Hide the list" : "Choose some"}
        </Button>
        {chosen.length > 0 && (
          <Button
            variant="subtle" size="compact-xs" onClick={() => {
              opener.current?.focus(); // this button will be gone
              choose([]);
            }}
          >
            Choose all
          </Button>
        )}
      </Group>
      {list.error != null && <ProblemBox error={list.error} />}
      {error && (
        <Text size="xs" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
      {!list.isPending && list.error == null && items.length === 0 && (
        <Text size="sm" c="var(--rt-warn)">
          This dataset has no scenarios yet, so there is nothing to run.
        </Text>
      )}
      {open && (
        <>
          {items.length > 10 && <TextInput size="xs" aria-label="Search scenarios" placeholder="Search scenarios" value={q} onChange={(event) => setQ(event.currentTarget.value)} />}
          <ScrollArea.Autosize mah={260} className="rt-panel" p="xs" type="auto" viewportProps={{ tabIndex: 0, role: "group", "aria-label": "Scenarios" }}>
            <Stack gap={6}>
              {found.slice(0, Most).map((item) => (
                <Checkbox key={item.id} size="xs" label={item.title} checked={chosen.includes(item.id)} onChange={() => flip(item.id)} />
              ))}
              {found.length > Most && (
                <Text size="xs" c="dimmed">
                  {count(found.length - Most)} more. Search to find them.
                </Text>
              )}
            </Stack>
          </ScrollArea.Autosize>
        </>
      )}
    </Stack>
  );
}
