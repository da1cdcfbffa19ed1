import { useEffect } from "react";
import { queries, request, type Schemas } from "../../api/client";
import { byCursor, rowsOf } from "../../api/pages";
import { refresh } from "../../api/refresh";

type Item = Schemas["Item"];

/** useItems reads the items of a version of a dataset (the current one when it is undefined) page by page. With all it reads on to the end. */
export function useItems(id: string, version: number | undefined, all = false) {
  const list = queries.useInfiniteQuery("get", "/datasets/{id}/items", { params: { path: { id }, query: { limit: 500, ...(version && { version }) } } }, byCursor);
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isError } = list;
  const read = list.data?.pages.length;
  useEffect(() => {
    if (all && hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [all, read, hasNextPage, isFetchingNextPage, isError, fetchNextPage]); // after each page that has been read
  return { items: rowsOf<Item>(list.data), error: list.error, loading: isFetchingNextPage, complete: list.data !== undefined && !hasNextPage, load: fetchNextPage };
}

/**
 * useOrder reads the items of a version of a dataset up to the one behind an item, which is the next one to open. An item that a link leads to may
 * stand further on than what is read first.
 */
export function useOrder(id: string, version: number | undefined, itemID: string): Item[] {
  const { items, error, loading, complete, load } = useItems(id, version);
  const at = items?.findIndex((item) => item.id === itemID) ?? -1;
  const short = items !== undefined && itemID !== "new" && !complete && (at < 0 || at === items.length - 1);
  const read = items?.length;
  useEffect(() => {
    if (short && !loading && !error) void load();
  }, [short, read, loading, error, load]); // after each page that has been read
  return items ?? [];
}

const path = (id: string, item?: string) => `/datasets/${encodeURIComponent(id)}/items${item ? `/${encodeURIComponent(item)}` : ""}`;

/** readItem reads an item past the cache; undefined when that fails. */
export function readItem(id: string, itemID: string): Promise<Item | undefined> {
  return request<Item>("GET", path(id, itemID)).catch(() => undefined);
}

/** addItem adds an item after the others and returns it with its id. */
export async function addItem(id: string, item: unknown): Promise<Item> {
  const added = await request<Schemas["ItemsAdded"]>("POST", path(id), item);
  await refresh("/datasets");
  return added.items[0] as Item;
}

export async function replaceItem(id: string, itemID: string, item: unknown): Promise<Item> {
  const kept = await request<Item>("PUT", path(id, itemID), item);
  await refresh("/datasets");
  return kept;
}

export async function deleteItem(id: string, itemID: string): Promise<void> {
  await request("DELETE", path(id, itemID));
  await refresh("/datasets");
}
