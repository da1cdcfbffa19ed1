import { ActionIcon, Alert, Badge, Button, Group, Loader, SegmentedControl, Stack, Text, Tooltip } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconArrowLeft, IconChevronLeft, IconChevronRight, IconCopyPlus, IconTrash } from "@tabler/icons-react";
import { useBlocker } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { queries, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { problemOf } from "../../api/problem";
import { Confirm } from "../../parts/confirm";
import { Copy } from "../../parts/copy";
import { count } from "../../parts/format";
import { ProblemBox } from "../../parts/problem";
import { plainOf } from "./changes";
import { type Bag, bagOf, type Fault, faultsOf, whole } from "./draft";
import { useDraft, useFaults } from "./drafting";
import classes from "./editor.module.css";
import { DraftContext } from "./field";
import { ItemForm } from "./form";
import { addItem, deleteItem, readItem, replaceItem } from "./items";
import { JsonEditor } from "./json";
import { Waiting } from "../../parts/waiting";

type Item = Schemas["Item"];

interface ItemPageProps {
  dataset: Schemas["Dataset"];
  /** itemID is "new" for one that is to be written. */
  itemID: string;
  /** copy is the item that a new one begins as. */
  copy?: string;
  version?: number;
  readOnly: boolean;
  /** order is what is known of the items' order, for the way to the neighbours. */
  order: Item[];
  go: (item: string | undefined, copy?: string) => void;
}

/** ItemPage loads an item and lets it be changed. */
export function ItemPage(props: ItemPageProps) {
  const { dataset, itemID, copy, version } = props;
  const source = itemID === "new" ? copy : itemID;
  const item = queries.useQuery(
    "get", "/datasets/{id}/items/{item_id}", { params: { path: { id: dataset.id, item_id: source ?? "" }, query: version ? { version } : {} } }, { enabled: source !== undefined, refetchOnWindowFocus: false },
  );
  if (source !== undefined && item.error && !item.data) return <ProblemBox error={item.error} />;
  if (source !== undefined && !item.data) return <Waiting height={420} />;
  const begin = source === undefined ? Fresh : itemID === "new" ? copyOf(item.data) : bagOf(item.data);
  return <Editor key={`${itemID} ${copy} ${version}`} {...props} begin={begin} />;
}

const Fresh: Bag = { input: { script: [{ wait_for_agent: {} }, { say: "" }, { wait_for_agent: {} }, { hang_up: true }] }, output: {} };

/** copyOf is an item as another one: a key is unique in its dataset. */
function copyOf(item: Item | undefined): Bag {
  const { id: _, key, ...rest } = bagOf(item);
  return typeof key === "string" && key !== "" ? { key: `${key}-copy`, ...rest } : rest;
}

function Editor({ dataset, itemID, readOnly, order, go, begin, version }: ItemPageProps & { begin: Bag }) {
  const draft = useDraft(begin);
  const live = useFaults(draft.text, draft.unread, readOnly);
  const fresh = itemID === "new";
  const known = useRef(plainOf(begin as Item)); // what the service had when this was read or saved
  const overtaken = async (mine: Bag) => {
    const now = await readItem(dataset.id, itemID);
    return now !== undefined && ![known.current, plainOf(mine as Item)].includes(plainOf(now));
  };
  const saving = useMutation({
    mutationFn: async (mine: Bag) => {
      if (fresh) return addItem(dataset.id, mine);
      if ((await overtaken(mine)) && !window.confirm("Somebody has changed this scenario meanwhile. Save yours in its place? Theirs stays in the version before.")) return undefined;
      return replaceItem(dataset.id, itemID, mine);
    },
    onSuccess: (kept, mine) => {
      if (!kept) return;
      known.current = plainOf(kept);
      draft.settle(bagOf(kept), mine);
      if (fresh) setTimeout(() => go(kept.id), 0);
    },
  });
  const saved = saving.data !== undefined;
  const busy = useRef(false); // a second click comes before the button shows that it has been pressed
  const save = () => {
    if (busy.current) return;
    busy.current = true;
    saving.mutate(whole(draft.item), { onSettled: () => (busy.current = false) });
  };
  useBlocker({
    shouldBlockFn: ({ current, next }) => draft.dirty && (current.pathname !== next.pathname || itemOf(current.search) !== itemOf(next.search)) && !window.confirm("Leave without saving the scenario?"),
    enableBeforeUnload: () => draft.dirty,
  });
  const refused = saving.error ? problemOf(saving.error) : undefined;
  // A key that another item has is found by saving alone.
  const faults = useMemo(() => [...live.faults, ...(live.faults.length === 0 ? faultsOf(refused?.errors?.map((e) => ({ path: e.path ?? "", message: e.message }))) : [])], [live.faults, refused]);
  const change = (act: () => void) => {
    if (saving.isError || saving.isSuccess) saving.reset();
    act();
  };
  // What is still to be written is no problem of whoever has not begun.
  const untouched = fresh && !draft.dirty && !saving.isError;
  const drafting = { item: draft.item, change: (item: Bag) => change(() => draft.change(item)), faults: untouched ? [] : faults, readOnly };
  return (
    <Stack gap="sm">
      <Group className={classes.bar} justify="space-between" gap="xs">
        <Way itemID={itemID} order={order} go={go} total={dataset.item_count} />
        <Group gap="xs">
          <State dirty={draft.dirty} checking={live.checking} faults={untouched ? 0 : faults.length} saved={saved} readOnly={readOnly} version={version} />
          {!readOnly && !fresh && (
            <Tooltip label="Duplicate">
              <ActionIcon color="gray" aria-label="Duplicate the scenario" onClick={() => go("new", itemID)}>
                <IconCopyPlus size={17} />
              </ActionIcon>
            </Tooltip>
          )}
          {!readOnly && !fresh && <Delete dataset={dataset} itemID={itemID} after={() => go(undefined)} />}
          {!readOnly && (
            <Button onClick={save} loading={saving.isPending} disabled={!(draft.dirty || fresh) || draft.unread !== ""}>
              {fresh ? "Add scenario" : "Save"}
            </Button>
          )}
        </Group>
      </Group>
      {refused && !refused.errors?.length && <ProblemBox error={saving.error} />}
      {faults.length > 0 && !untouched && <Faults faults={faults} />}
      <DraftContext value={drafting}>
        <Sides text={draft.text} write={(text) => change(() => draft.write(text))} faults={untouched ? [] : faults} readOnly={readOnly} id={fresh ? undefined : itemID} />
      </DraftContext>
    </Stack>
  );
}

const itemOf = (search: unknown): unknown => bagOf(search)["item"];

function Way({ itemID, order, go, total }: { itemID: string; order: Item[]; go: ItemPageProps["go"]; total: number }) {
  const at = order.findIndex((item) => item.id === itemID);
  const [before, after] = [at > 0 ? order[at - 1] : undefined, at >= 0 ? order[at + 1] : undefined];
  return (
    <Group gap={4} wrap="nowrap">
      <Button variant="default" size="xs" leftSection={<IconArrowLeft size={15} />} onClick={() => go(undefined)}>
        All scenarios
      </Button>
      <ActionIcon color="gray" aria-label="Scenario before" disabled={!before} onClick={() => go(before?.id)}>
        <IconChevronLeft size={17} />
      </ActionIcon>
      <ActionIcon color="gray" aria-label="Scenario after" disabled={!after} onClick={() => go(after?.id)}>
        <IconChevronRight size={17} />
      </ActionIcon>
      <Text size="sm" c="dimmed">
        {itemID === "new" ? "New scenario" : at >= 0 ? `${count(at + 1)} of ${count(total)}` : ""}
      </Text>
    </Group>
  );
}

interface StateProps {
  dirty: boolean;
  checking: boolean;
  faults: number;
  saved: boolean;
  readOnly: boolean;
  version?: number;
}

function State({ dirty, checking, faults, saved, readOnly, version }: StateProps) {
  const [text, color] = readOnly
    ? [version ? `As it was in version ${version}` : "You may look, and not change", "gray"]
    : faults > 0 ? [faults === 1 ? "1 problem" : `${faults} problems`, "red"] : dirty ? ["Not saved yet", "gray"] : saved ? ["Saved", "ring"] : ["", "gray"];
  return (
    <Group gap={6} role="status" aria-live="polite">
      {checking && !readOnly && dirty && <Loader size={12} aria-label="Checking" />}
      {text && (
        <Badge variant="light" color={color} tt="none" styles={{ label: { color: faults > 0 ? "var(--rt-failed)" : "var(--mantine-color-text)" } }}>
          {text}
        </Badge>
      )}
    </Group>
  );
}

function Delete({ dataset, itemID, after }: { dataset: Schemas["Dataset"]; itemID: string; after: () => void }) {
  return (
    <Confirm
      title="Delete the scenario" verb="Delete the scenario" act={async () => {
        await deleteItem(dataset.id, itemID);
        setTimeout(after, 0);
      }}
      ask={(open) => (
        <Tooltip label="Delete">
          <ActionIcon color="gray" aria-label="Delete the scenario" onClick={open}>
            <IconTrash size={17} />
          </ActionIcon>
        </Tooltip>
      )}
    >
      It is left out of the next version of {dataset.name}. Older versions keep it, and so do the calls that played it.
    </Confirm>
  );
}

function Faults({ faults }: { faults: Fault[] }) {
  return (
    <Alert color="red" variant="light" p="xs" role="alert">
      <ul className={classes.faults}>
        {faults.map((fault, n) => (
          <li key={n} className="rt-words">
            {fault.place && <span className="rt-mono">{fault.place} </span>}
            {fault.message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

function Sides({ text, write, faults, readOnly, id }: { text: string; write: (text: string) => void; faults: Fault[]; readOnly: boolean; id?: string }) {
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
