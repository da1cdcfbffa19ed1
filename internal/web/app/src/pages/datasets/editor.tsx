import { ActionIcon, Button, Group, Stack, Tooltip } from "@mantine/core";
import { IconCopyPlus } from "@tabler/icons-react";
import { useBlocker } from "@tanstack/react-router";
import { useMemo, useRef } from "react";
import { queries, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { problemOf } from "../../api/problem";
import { ProblemBox } from "../../parts/problem";
import { plainOf } from "./changes";
import { type Bag, bagOf, type Fault, faultsOf, whole } from "./draft";
import { useDraft, useFaults } from "./drafting";
import classes from "./editor.module.css";
import { Delete, Faults, SaveState, Neighbours } from "./editorbar";
import { DraftContext } from "./field";
import { addItem, readItem, replaceItem } from "./items";
import { Sides } from "./sides";
import { Waiting } from "../../parts/waiting";

type Item = Schemas["Item"];

interface ItemPageProps {
  dataset: Schemas["Dataset"];
  /** itemID is "new" for a new item. */
  itemID: string;
  /** copy is the id of the item that a new one is copied from. */
  copy?: string;
  version?: number;
  readOnly: boolean;
  /** order are the items that are loaded, in order, to find the previous and the next. */
  order: Item[];
  /** go shows another item, or all. done is for after adding or deleting one, so that the browser's Back skips its form. */
  go: (item: string | undefined, copy?: string, done?: boolean) => void;
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

/** copyOf is a copy with a key of its own: keys are unique in a dataset. */
function copyOf(item: Item | undefined): Bag {
  const { id: _, key, ...rest } = bagOf(item);
  return typeof key === "string" && key !== "" ? { key: `${key}-copy`, ...rest } : rest;
}

type EditorProps = ItemPageProps & { begin: Bag };

function Editor(props: EditorProps) {
  const { itemID, readOnly, begin } = props;
  const draft = useDraft(begin);
  const live = useFaults(draft.text, draft.unread, readOnly);
  const saving = useSaving(props, draft);
  const leave = useLeave(props, draft.dirty);
  const fresh = itemID === "new";
  const refused = saving.error ? problemOf(saving.error) : undefined;
  // That another item has the key is found only by saving.
  const found = useMemo(() => [...live.faults, ...(live.faults.length === 0 ? faultsOf(refused?.errors?.map((e) => ({ path: e.path ?? "", message: e.message }))) : [])], [live.faults, refused]);
  // A new item is not valid yet, which is nothing to complain about before anything was written.
  const faults = fresh && !draft.dirty && !saving.isError ? none : found;
  const change = (act: () => void) => {
    if (saving.isError || saving.isSuccess) saving.reset();
    act();
  };
  const drafting = { item: draft.item, change: (item: Bag) => change(() => draft.change(item)), faults, readOnly };
  return (
    <Stack gap="sm">
      <Bar {...props} draft={draft} saving={saving} checking={live.checking} faults={faults.length} leave={leave} />
      {refused && !refused.errors?.length && <ProblemBox error={saving.error} />}
      {faults.length > 0 && <Faults faults={faults} />}
      <DraftContext value={drafting}>
        <Sides text={draft.text} write={(text) => change(() => draft.write(text))} faults={faults} readOnly={readOnly} id={fresh ? undefined : itemID} />
      </DraftContext>
    </Stack>
  );
}

const none: Fault[] = [];

type Draft = ReturnType<typeof useDraft>;

/** useSaving adds or replaces the item. What somebody else has saved in the meantime is replaced only after a question. */
function useSaving({ dataset, itemID, go, begin }: EditorProps, draft: Draft) {
  const fresh = itemID === "new";
  const known = useRef(plainOf(begin as Item)); // the item as it was last read or saved here
  const overtaken = async (mine: Bag) => {
    const now = await readItem(dataset.id, itemID);
    return now !== undefined && ![known.current, plainOf(mine as Item)].includes(plainOf(now));
  };
  return useMutation({
    mutationFn: async (mine: Bag) => {
      if (fresh) return addItem(dataset.id, mine);
      if ((await overtaken(mine)) && !window.confirm("Somebody else has changed this scenario in the meantime. Save yours in its place? Theirs is kept in the version before.")) return undefined;
      return replaceItem(dataset.id, itemID, mine);
    },
    onSuccess: (kept, mine) => {
      if (!kept) return;
      known.current = plainOf(kept);
      draft.settle(bagOf(kept), mine);
      if (fresh) setTimeout(() => go(kept.id, undefined, true), 0);
    },
  });
}

/** useLeave asks before unsaved changes are left behind. What it returns leaves without a question, after the item was deleted. */
function useLeave({ go }: EditorProps, dirty: boolean) {
  const gone = useRef(false);
  useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && !gone.current && (current.pathname !== next.pathname || itemOf(current.search) !== itemOf(next.search)) && !window.confirm("Leave without saving the scenario?"),
    enableBeforeUnload: () => dirty,
  });
  return () => {
    gone.current = true;
    go(undefined, undefined, true);
  };
}

interface BarProps extends EditorProps {
  draft: Draft;
  saving: ReturnType<typeof useSaving>;
  checking: boolean;
  faults: number;
  leave: () => void;
}

/** Bar is above the item: the way to others, how it stands, and what can be done with it. */
function Bar({ dataset, itemID, readOnly, order, go, version, draft, saving, checking, faults, leave }: BarProps) {
  const fresh = itemID === "new";
  return (
    <Group className={classes.bar} justify="space-between" gap="xs">
      <Neighbours itemID={itemID} order={order} go={go} total={dataset.item_count} />
      <Group gap="xs">
        <SaveState dirty={draft.dirty} checking={checking} faults={faults} saved={saving.data !== undefined} readOnly={readOnly} version={version} />
        {!readOnly && !fresh && (
          <Tooltip label="Duplicate">
            <ActionIcon color="gray" aria-label="Duplicate the scenario" onClick={() => go("new", itemID)}>
              <IconCopyPlus size={17} />
            </ActionIcon>
          </Tooltip>
        )}
        {!readOnly && !fresh && <Delete dataset={dataset} itemID={itemID} after={leave} />}
        {!readOnly && (
          <Button onClick={() => saving.mutate(whole(draft.item))} loading={saving.isPending} disabled={!(draft.dirty || fresh) || draft.unread !== ""}>
            {fresh ? "Add scenario" : "Save"}
          </Button>
        )}
      </Group>
    </Group>
  );
}

const itemOf = (search: unknown): unknown => bagOf(search)["item"];
