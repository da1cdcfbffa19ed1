import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, memo, useCallback, useEffect, useRef, useState } from "react";
import type { Schemas } from "../../api/client";
import { count, Unknown } from "../../parts/format";
import classes from "./grid.module.css";
import { behaviours, expectations, firstLine, limits, persona } from "./outline";

type Item = Schemas["Item"];

const Columns: { name: string; text: (item: Item) => string }[] = [
  { name: "Key", text: (item) => item.key ?? "" },
  { name: "Goal or first line", text: firstLine },
  { name: "Persona", text: persona },
  { name: "Behaviours", text: behaviours },
  { name: "Expectations", text: expectations },
  { name: "Language", text: (item) => item.input?.language ?? "" },
  { name: "Limits", text: limits },
];

const RowHeight = 34;

interface ItemGridProps {
  items: Item[];
  /** total includes the items that are not loaded yet. */
  total: number;
  /** load loads the next items; it is called while rows on the screen are still empty. */
  load: () => void;
  loading: boolean;
  open: (item: Item) => void;
  /** remove is called by the Delete key; without it nothing can be deleted. */
  remove?: (item: Item) => void;
  /** at is the item that somebody comes back from: the cursor starts there. */
  at?: string | undefined;
}

/**
 * ItemGrid is a sheet of scenarios. Only the rows on the screen are drawn. The arrow keys, Page Up and Down, Home and End (with Ctrl: of the whole
 * sheet) move the cursor, Enter opens the item, Delete asks whether to delete it, Ctrl+C copies the cell.
 */
export function ItemGrid({ items, total, load, loading, open, remove, at }: ItemGridProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState(() => ({ row: Math.max(0, items.findIndex((item) => item.id === at)), column: 1 }));
  const rows = useVirtualizer({ count: total, getScrollElement: () => frame.current, estimateSize: () => RowHeight, overscan: 12, initialOffset: cursor.row * RowHeight });
  const [back] = useState(at !== undefined);
  useEffect(() => {
    if (back && document.activeElement === document.body) frame.current?.focus({ preventScroll: true });
  }, [back]);
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= items.length - 20 && items.length < total && !loading) load();
  }, [last, items.length, total, loading, load]);
  const here = { row: Math.min(cursor.row, total - 1), column: cursor.column };

  const latest = useRef({ items, open });
  useEffect(() => {
    latest.current = { items, open };
  });
  const choose = useCallback((row: number, column: number) => {
    setCursor({ row, column });
    const item = latest.current.items[row];
    if (item && !window.getSelection()?.toString()) latest.current.open(item);
  }, []);

  function press(event: KeyboardEvent) {
    const item = items[here.row];
    const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 340) / RowHeight) - 2);
    const to = stepOf(event, here, page, total);
    if (to) {
      setCursor(to);
      rows.scrollToIndex(to.row);
    } else if (event.key === "Enter" && item) open(item);
    else if (event.key === "Delete" && item && remove) remove(item);
    else if (event.key === "c" && (event.ctrlKey || event.metaKey) && item && !window.getSelection()?.toString()) {
      void navigator.clipboard?.writeText(textAt(item, here.row, here.column));
    } else return;
    event.preventDefault();
  }

  return (
    <div
      ref={frame} className={classes.frame} role="grid" aria-label="Scenarios" aria-rowcount={total + 1} aria-colcount={Columns.length + 1} aria-readonly
      tabIndex={0} aria-activedescendant={total > 0 ? idOf(here.row, here.column) : undefined} onKeyDown={press}
    >
      <div role="rowgroup" className={classes.head}>
        <div role="row" aria-rowindex={1} className={classes.row}>
          {["#", ...Columns.map((column) => column.name)].map((name, n) => (
            <div key={name} role="columnheader" aria-colindex={n + 1} className={n === 0 ? `${classes.cell} ${classes.number}` : classes.cell}>
              {name}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={classes.body} style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start }) => (
          <Line
            key={index} index={index} item={items[index]} start={start} cursor={index === here.row ? here.column : -1} marked={items[index]?.id === at && at !== undefined}
            choose={choose}
          />
        ))}
      </div>
    </div>
  );
}

interface LineProps {
  index: number;
  item: Item | undefined;
  start: number;
  cursor: number;
  marked: boolean;
  choose: (row: number, column: number) => void;
}

/** Line is a row. It is memoised, so that scrolling renders only rows that come into view. */
const Line = memo(function Line({ index, item, start, cursor, marked, choose }: LineProps) {
  return (
    <div role="row" aria-rowindex={index + 2} className={`${classes.row} ${classes.line}`} data-open={marked || undefined} style={{ transform: `translateY(${start}px)` }}>
      {[-1, ...Columns.keys()].map((n) => {
        const column = n + 1;
        const text = item ? textAt(item, index, column) : column === 0 ? count(index + 1) : "…";
        return (
          <div
            key={column} id={idOf(index, column)} role="gridcell" aria-colindex={column + 1} data-here={cursor === column || undefined} title={column > 0 && text.length > 18 ? text : undefined}
            className={column === 0 ? `${classes.cell} ${classes.number}` : text ? classes.cell : `${classes.cell} ${classes.none}`} onClick={() => choose(index, column)}
          >
            {text || Unknown}
          </div>
        );
      })}
    </div>
  );
});

const idOf = (row: number, column: number) => `item-${row}-${column}`;

function textAt(item: Item, row: number, column: number): string {
  return column === 0 ? count(row + 1) : (Columns[column - 1]?.text(item) ?? "");
}

interface Cell {
  row: number;
  column: number;
}

/** stepOf is the cell that a key moves the cursor to; undefined for other keys. */
export function stepOf(event: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }, from: Cell, page: number, rows: number): Cell | undefined {
  const whole = event.ctrlKey || event.metaKey;
  if (event.altKey || rows === 0) return undefined;
  const to = { ...from };
  switch (event.key) {
    case "ArrowDown": to.row = whole ? rows - 1 : from.row + 1; break;
    case "ArrowUp": to.row = whole ? 0 : from.row - 1; break;
    case "ArrowRight": to.column = whole ? Columns.length : from.column + 1; break;
    case "ArrowLeft": to.column = whole ? 0 : from.column - 1; break;
    case "PageDown": to.row += page; break;
    case "PageUp": to.row -= page; break;
    case "Home": to.column = 0; if (whole) to.row = 0; break;
    case "End": to.column = Columns.length; if (whole) to.row = rows - 1; break;
    default: return undefined;
  }
  return { row: Math.min(rows - 1, Math.max(0, to.row)), column: Math.min(Columns.length, Math.max(0, to.column)) };
}
