import { ActionIcon, Button, Group, Stack, Tooltip } from "@mantine/core";
import { IconCopyPlus } from "@tabler/icons-react";
import { useBlocker } from "@tanstack/react-router";
import { useMemo, useRef } from "react";
import { queries, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { problemOf } from "../../api/problem";
import { ProblemBox } from "../../parts/problem";
import { plainOf } from "./changes";
import { type Bag, bagOf, faultsOf, whole } from "./draft";
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

function Editor({ dataset, itemID, readOnly, order, go, begin, version }: ItemPageProps & { begin: Bag }) {
  const draft = useDraft(begin);
  const live = useFaults(draft.text, draft.unread, readOnly);
  const fresh = itemID === "new";
  const known = useRef(plainOf(begin as Item)); // the item as it was last read or saved here
  const overtaken = async (mine: Bag) => {
    const now = await readItem(dataset.id, itemID);
    return now !== undefined && ![known.current, plainOf(mine as Item)].includes(plainOf(now));
  };
  const saving = useMutation({
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
  const saved = saving.data !== undefined;
  const gone = useRef(false); // it was deleted: no question about unsaved changes
  useBlocker({
    shouldBlockFn: ({ current, next }) => draft.dirty && !gone.current && (current.pathname !== next.pathname || itemOf(current.search) !== itemOf(next.search)) && !window.confirm("Leave without saving the scenario?"),
    enableBeforeUnload: () => draft.dirty,
  });
  const refused = saving.error ? problemOf(saving.error) : undefined;
  // That another item has the key is found only by saving.
  const faults = useMemo(() => [...live.faults, ...(live.faults.length === 0 ? faultsOf(refused?.errors?.map((e) => ({ path: e.path ?? "", message: e.message }))) : [])], [live.faults, refused]);
  const change = (act: () => void) => {
    if (saving.isError || saving.isSuccess) saving.reset();
    act();
  };
  const leave = () => {
    gone.current = true;
    go(undefined, undefined, true);
  };
  // A new item is not valid yet, which is nothing to complain about before anything was written.
  const untouched = fresh && !draft.dirty && !saving.isError;
  const drafting = { item: draft.item, change: (item: Bag) => change(() => draft.change(item)), faults: untouched ? [] : faults, readOnly };
  return (
    <Stack gap="sm">
      <Group className={classes.bar} justify="space-between" gap="xs">
        <Neighbours itemID={itemID} order={order} go={go} total={dataset.item_count} />
        <Group gap="xs">
          <SaveState dirty={draft.dirty} checking={live.checking} faults={untouched ? 0 : faults.length} saved={saved} readOnly={readOnly} version={version} />
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
      {refused && !refused.errors?.length && <ProblemBox error={saving.error} />}
      {faults.length > 0 && !untouched && <Faults faults={faults} />}
      <DraftContext value={drafting}>
        <Sides text={draft.text} write={(text) => change(() => draft.write(text))} faults={untouched ? [] : faults} readOnly={readOnly} id={fresh ? undefined : itemID} />
      </DraftContext>
    </Stack>
  );
}

const itemOf = (search: unknown): unknown => bagOf(search)["item"];
