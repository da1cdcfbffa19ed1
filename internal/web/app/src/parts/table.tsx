import { Button, Skeleton } from "@mantine/core";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, memo, type MouseEvent, type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { count } from "./format";
import { usePaper } from "./paper";
import { yieldingScroll } from "./scroll";
import { directionOf, SortButton, sortedBy, type Sorting, type Value } from "./sort";
import type { More } from "../api/pages";
import classes from "./table.module.css";

export interface Column<Row> {
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  numeric?: boolean;
  width?: number | string;
  /** min is the minimum width, for a column of words that may be broken anywhere. */
  min?: number;
  /** value is what the column is sorted by, in a table that can be sorted. */
  value?: (row: Row) => Value;
}

interface DataTableProps<Row> {
  /** label is the name of the table for screen readers. */
  label: string;
  /** columns should be memoised where there are many rows: when they are another array, all rows are drawn anew. */
  columns: Column<Row>[];
  rows: Row[] | undefined;
  /** failed says that there will be no rows; the page says elsewhere why. */
  failed?: boolean;
  rowKey: (row: Row) => string;
  /** open is called when a row is clicked; for the keyboard the first link of the row must do the same. */
  open?: (row: Row) => void;
  /** empty is shown instead of a table without rows. */
  empty?: ReactNode;
  /** more loads further rows; the table does so when its end comes near. */
  more?: More;
  /** whole draws all rows: for a table in a dialog, where the window, by which it is known what is on the screen, does not scroll. Further rows are loaded by the button alone. */
  whole?: boolean;
  /** sorting makes the columns that have a value sortable; only for tables whose rows are all loaded. */
  sorting?: Sorting;
}

const RowHeight = 37; // until one has been seen
const Beyond = 12; // rows that are drawn above and below the screen

/** DataTable shows any number of rows and draws only those on the screen; on paper all that are loaded. Arrow keys, j and k move from row to row. */
export function DataTable<Row>({ label, columns, rows: given, failed = false, rowKey, open, empty, more, whole = false, sorting }: DataTableProps<Row>) {
  const rows = useMemo(() => given && sortedBy(given, columns, sorting?.by), [given, columns, sorting?.by]);
  const frame = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    if (frame.current) setOffset(frame.current.getBoundingClientRect().top + window.scrollY);
  }, [rows === undefined]);
  const fits = useFits(frame, rows === undefined);
  const height = useRef(RowHeight);
  const [scroll] = useState(yieldingScroll);
  const all = usePaper() || whole;
  const virtual = useWindowVirtualizer({ ...scroll, count: rows?.length ?? 0, estimateSize: () => height.current, overscan: all ? (rows?.length ?? 0) : Beyond, scrollMargin: offset });
  const shown = virtual.getVirtualItems();
  useLayoutEffect(() => {
    // Rows that are not drawn yet are taken to be as tall as those that are: where that is true, nothing moves when they are drawn.
    if (shown.length > 0) height.current = shown.reduce((sum, { size }) => sum + size, 0) / shown.length;
  });
  const latest = useRef(open);
  useLayoutEffect(() => {
    latest.current = open;
  });
  const leadOn = useCallback((row: Row) => latest.current?.(row), []);
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows && !all && more?.has && !more.loading && !more.failed && last >= rows.length - (rows.length > 300 ? 200 : 30)) more.load();
  }, [last, rows, more, all]);
  if (!rows) return failed ? null : <Loading />;
  // Where rows are filtered in the browser, those that match may be on a page that is not loaded yet.
  if (rows.length === 0 && empty && (!more?.has || !more.failed)) return more?.has ? <Loading /> : <>{empty}</>;
  const before = (shown[0]?.start ?? offset) - offset;
  const after = virtual.getTotalSize() - ((shown.at(-1)?.end ?? offset) - offset);
  return (
    <div className="rt-panel">
      <div className={classes.frame} data-fits={fits || undefined} ref={frame} onKeyDown={move} role="region" aria-label={label} tabIndex={0}>
        <table className={classes.table} aria-label={label} aria-rowcount={more?.has ? -1 : rows.length + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column) => (
                <th key={column.key} scope="col" className={column.numeric ? classes.numeric : undefined} style={{ width: column.width, minWidth: column.min }} aria-sort={sorting && directionOf(column.key, sorting.by)}>
                  {sorting && column.value ? <SortButton column={column.key} numeric={column.numeric ?? false} sorting={sorting}>{column.header}</SortButton> : column.header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Spacer height={before} columns={columns.length} />
            {shown.map((item) => {
              const row = rows[item.index];
              if (row === undefined) return null;
              return <Drawn key={rowKey(row)} row={row} index={item.index} columns={columns as Column<unknown>[]} measure={virtual.measureElement} open={open && (leadOn as (row: unknown) => void)} />;
            })}
            <Spacer height={after} columns={columns.length} />
          </tbody>
        </table>
      </div>
      {more && (more.has || more.loading) && (
        <div className={classes.foot}>
          {count(rows.length)} shown
          <Button size="compact-xs" variant="subtle" loading={more.loading} onClick={more.load}>
            Load more
          </Button>
        </div>
      )}
    </div>
  );
}

interface DrawnProps {
  row: unknown;
  index: number;
  columns: Column<unknown>[];
  measure: (element: Element | null) => void;
  open: ((row: unknown) => void) | undefined;
}

/** Drawn is a row. It is memoised: the table is rendered with each step of scrolling, and only rows that come into view need to be. */
const Drawn = memo(function Drawn({ row, index, columns, measure, open }: DrawnProps) {
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2} className={classes.row} data-leads={open ? "" : undefined} onClick={open && ((event) => leads(event) && open(row))}>
      {columns.map((column) => (
        <td key={column.key} className={column.numeric ? classes.numeric : undefined}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
});

/** useFits tells whether the table needs no horizontal scrolling. Its frame then does not clip, so that its head can stick to the top of the screen. */
function useFits(frame: RefObject<HTMLDivElement | null>, waiting: boolean): boolean {
  const [fits, setFits] = useState(false);
  useEffect(() => {
    const box = frame.current;
    if (!box) return undefined;
    const watch = new ResizeObserver(() => setFits(box.scrollWidth <= box.clientWidth));
    for (const each of [box, box.firstElementChild]) if (each) watch.observe(each);
    return () => watch.disconnect();
  }, [frame, waiting]);
  return fits;
}

/** Spacer takes the room of the rows that are not drawn above or below those on the screen. */
export function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

function Loading() {
  return (
    <div className="rt-panel" style={{ padding: 12 }} role="status" aria-label="Loading">
      {[0, 1, 2, 3, 4].map((n) => (
        <Skeleton key={n} height={16} my={10} width={`${90 - 9 * n}%`} />
      ))}
    </div>
  );
}

/** leads tells whether a click is meant for the row, not for a control in it, and does not end a selection of text. */
function leads(event: MouseEvent<HTMLElement>): boolean {
  const inside = (event.target as HTMLElement).closest("a, button, input, label, [role=menuitem]");
  return !inside && !window.getSelection()?.toString();
}

/** move takes the focus to the first link or button of the next or previous row. */
function move(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  const from = event.target as HTMLElement;
  if (!step || event.ctrlKey || event.metaKey || event.altKey || from.closest("input, select, textarea")) return;
  const row = from.closest("tbody tr");
  const next = row ? (step > 0 ? row.nextElementSibling : row.previousElementSibling) : event.currentTarget.querySelector("tbody tr:not([aria-hidden])");
  const link = next?.querySelector<HTMLElement>("a, button");
  if (!link) return;
  event.preventDefault();
  link.focus();
}
