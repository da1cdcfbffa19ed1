import { api, type Schemas } from "../../api/client";
import { compact } from "./draft";

type Item = Schemas["Item"];

/** Change is an item that only one of two versions of a dataset has, or that differs between them. */
export interface Change {
  kind: "added" | "removed" | "changed";
  before?: Item;
  after?: Item;
}

/** changesOf compares two versions of a dataset, item by item. The order of the items, and of keys in them, is ignored. */
export function changesOf(before: Item[], after: Item[]): Change[] {
  const old = new Map(before.map((item) => [item.id, item]));
  const changes: Change[] = [];
  for (const item of after) {
    const was = old.get(item.id);
    old.delete(item.id);
    if (!was) changes.push({ kind: "added", after: item });
    else if (plainOf(was) !== plainOf(item)) changes.push({ kind: "changed", before: was, after: item });
  }
  for (const item of old.values()) changes.push({ kind: "removed", before: item });
  return changes;
}

/** plainOf writes an item in a canonical form, without its id, to be compared. */
export function plainOf(item: Item | undefined): string {
  const { id: _, ...rest } = item ?? {};
  return item ? compact(sorted(rest)) : "";
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  return isBag(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)])) : value;
}

const isBag = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** allItems reads a version of a dataset to its end. */
export async function allItems(id: string, version: number): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const { data, error } = await api.GET("/datasets/{id}/items", { params: { path: { id }, query: { limit: 1000, version, ...(cursor && { cursor }) } } });
    if (error) throw error;
    items.push(...data.data);
    cursor = data.next_cursor ?? undefined;
  } while (cursor);
  return items;
}
