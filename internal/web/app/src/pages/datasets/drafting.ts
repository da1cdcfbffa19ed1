import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Bag, bagOf, compact, type Fault, faultsOf, whole } from "./draft";
import { check } from "./files";

/** written is the item as the JSON beside the form shows it. */
export const written = (item: Bag): string => compact(whole(item));

/** useDraft is an item that is edited as a form and as JSON at once. Each change of one changes the other; only JSON that cannot be parsed leaves the form as it was. */
export function useDraft(begin: Bag) {
  const [draft, setDraft] = useState(() => ({ item: begin, text: written(begin), unread: "" }));
  const [begun, setBegun] = useState(() => written(begin));
  const change = (item: Bag) => setDraft({ item, text: written(item), unread: "" });
  const write = (text: string) => {
    try {
      const item: unknown = JSON.parse(text);
      if (typeof item !== "object" || item === null || Array.isArray(item)) throw new Error("A scenario is an object: { … }");
      setDraft({ item: bagOf(item), text, unread: "" });
    } catch (error) {
      setDraft((old) => ({ ...old, text, unread: error instanceof Error ? error.message : "This is not JSON" }));
    }
  };
  /** settle is called with what was saved. What has been written since it was sent stays, as unsaved. */
  const settle = (kept: Bag, sent: Bag) => {
    setDraft((old) => (old.unread === "" && written(old.item) === written(sent) ? { item: kept, text: written(kept), unread: "" } : old));
    setBegun(written(kept));
  };
  const same = draft.unread === "" && written(draft.item) === begun;
  return { ...draft, change, write, settle, dirty: !same };
}

/** useFaults has the service check the item shortly after the last key, unless it is read-only. */
export function useFaults(text: string, unread: string, readOnly: boolean): { faults: Fault[]; checking: boolean } {
  const [settled] = useDebouncedValue(text, 350);
  const asked = useQuery({
    queryKey: ["check", settled],
    queryFn: async () => faultsOf((await check(`[\n${settled}\n]`, "json")).problems),
    enabled: unread === "" && !readOnly,
    placeholderData: keepPreviousData, staleTime: Number.POSITIVE_INFINITY, gcTime: 10_000, retry: 1, refetchOnWindowFocus: false,
  });
  if (unread !== "") return { faults: [{ place: "", message: unread, line: lineOf(unread) }], checking: false };
  return { faults: asked.data ?? [], checking: asked.isFetching || settled !== text };
}

/** lineOf is the line in a browser's message about invalid JSON; 0 when it names none. */
function lineOf(message: string): number {
  return Number(/line (\d+)/.exec(message)?.[1] ?? 0);
}
