import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./table.module.css";

/** Value is what rows are put in order by; those that have none stand last, whichever way. */
export type Value = number | string | null | undefined;

/** Sorting is the column that a table is sorted by, with "-" before it for the highest first; it lives in the address. */
export interface Sorting {
  by: string | undefined;
  change: (by: string | undefined) => void;
}

/** sortedBy puts rows in order by a column; without one, or by one that does not sort, they stay as they are. */
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

/** nextOf is what pressing the head of a column does: highest first of numbers, then lowest; words from the first on; the third time as it was. */
export function nextOf(key: string, by: string | undefined, numeric: boolean): string | undefined {
  const [first, second] = numeric ? [`-${key}`, key] : [key, `-${key}`];
  if (by === first) return second;
  return by === second ? undefined : first;
}

/** directionOf is how a column is sorted, as aria-sort says it. */
export function directionOf(key: string, by: string | undefined): "ascending" | "descending" | undefined {
  if (by === key) return "ascending";
  return by === `-${key}` ? "descending" : undefined;
}

/** SortButton is the head of a column that can be sorted by. */
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
