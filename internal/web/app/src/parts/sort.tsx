import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./table.module.css";

/** Value is what rows are sorted by; those without one stand last in either direction. */
export type Value = number | string | null | undefined;

/** Sorting is the column that a table is sorted by, with "-" before it for the highest first; it lives in the address. */
export interface Sorting {
  by: string | undefined;
  change: (by: string | undefined) => void;
}

/** sortedBy sorts rows by a column; without one, or by one that cannot be sorted by, they keep their order. */
export function sortedBy<Row>(rows: Row[], columns: { key: string; value?: (row: Row) => Value }[], by: string | undefined): Row[] {
  const down = by?.startsWith("-") ?? false;
  const value = columns.find(({ key }) => key === (down ? by?.slice(1) : by))?.value;
  if (!value) return rows;
  return rows
    .map((row) => ({ row, at: value(row) ?? null }))
    .sort((a, b) => (a.at === null || b.at === null ? Number(a.at === null) - Number(b.at === null) : (down ? -1 : 1) * compared(a.at, b.at)))
    .map(({ row }) => row);
}

function compared(a: number | string, b: number | string): number {
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}

/** nextOf is the sorting after a press on the head of a column: numbers from the highest, words from the first; then the other way round; then unsorted. */
export function nextOf(key: string, by: string | undefined, numeric: boolean): string | undefined {
  const [first, second] = numeric ? [`-${key}`, key] : [key, `-${key}`];
  if (by === first) return second;
  return by === second ? undefined : first;
}

/** directionOf is the value of aria-sort for a column. */
export function directionOf(key: string, by: string | undefined): "ascending" | "descending" | undefined {
  if (by === key) return "ascending";
  return by === `-${key}` ? "descending" : undefined;
}

/** SortButton is the head of a sortable column. */
export function SortButton({ column, numeric, sorting, children }: { column: string; numeric: boolean; sorting: Sorting; children: ReactNode }) {
  const direction = directionOf(column, sorting.by);
  const Icon = direction === "ascending" ? IconArrowUp : IconArrowDown;
  return (
    <button type="button" className={classes.sort} onClick={() => sorting.change(nextOf(column, sorting.by, numeric))}>
      {children}
      <Icon size={12} aria-hidden style={{ visibility: direction ? undefined : "hidden" }} />
    </button>
  );
}
