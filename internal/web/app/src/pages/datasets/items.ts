import { useEffect } from "react";
import { queries, request, type Schemas } from "../../api/client";
import { byCursor, rowsOf } from "../../api/pages";
import { refresh } from "../../api/refresh";

type Item = Schemas["Item"];

/** useItems reads the items of a version of a dataset (the current one when it is undefined) page by page. With all it reads on to the end. */
export function useItems(id: string, version: number | undefined, all = false) {
  const list = queries.useInfiniteQuery("get", "/datasets/{id}/items", { params: { path: { id }, query: { limit: 500, ...(version && { version }) } } }, byCursor);
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isError } = list;
  useEffect(() => {
    if (all && hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [all, hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  return { items: rowsOf<Item>(list.data), error: list.error, loading: isFetchingNextPage, complete: list.data !== undefined && !hasNextPage, load: fetchNextPage };
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
