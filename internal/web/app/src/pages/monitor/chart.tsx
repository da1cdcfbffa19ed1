import "uplot/dist/uPlot.min.css";
import { useComputedColorScheme } from "@mantine/core";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import type { Schemas } from "../../api/client";
import { clipped, day, moment } from "../../parts/format";
import { usePaper } from "../../parts/paper";
import classes from "./chart.module.css";
import { ticksText } from "../../parts/metrics";
import { lone, pooled } from "./pooled";
import { type Line, readout, summary } from "./readout";
import { endedBy } from "./running";
import { timesText } from "./timeaxis";

interface ChartProps {
  line: Schemas["TrendLine"];
  height: number;
  /** until is the end of the last point. Where it is later than now, that point is not complete. */
  until: number;
  now: number;
  /** days says that each point is a whole day in the reader's zone. */
  days?: boolean;
  /** stretches are shaded: departures from the usual. */
  stretches?: { from: number; until: number; worse: boolean }[];
  /** marks are vertical lines with a name: the first call of a version. */
  marks?: { at: number; name: string }[];
  /** zoom is called with the time that somebody has dragged over. */
  zoom?: (from: number, until: number) => void;
}

/**
 * Chart draws one metric over time: the band of what is usual, or a line for it where hours are pooled, the metric itself, a ring for the number of calls of an
 * hour that is not over, and marks. The charts of a page share their cursor, and only the one that has the keyboard is read aloud.
 */
export function Chart({ line: told, height, until, now, days = false, stretches = [], marks = [], zoom }: ChartProps) {
  const line = useMemo<Line>(() => {
    const { unit, points } = endedBy(told, until, now);
    return { unit, points: pooled(points) };
  }, [told, until, now]);
  const place = useRef<HTMLDivElement>(null);
  const zooming = useRef(zoom);
  zooming.current = zoom;
  const scheme = useComputedColorScheme("light");
  const paper = usePaper();
  const drawn = useRef<uPlot | null>(null);
  const [at, setAt] = useState<number | null>(null);
  const [steered, steer] = useState(false); // whether the keyboard is here
  useEffect(() => {
    const target = place.current;
    if (!target) return undefined;
    const colour = colours(target);
    const alone = lone(line.points);
    const plot = new uPlot(
      {
        width: target.clientWidth,
        height,
        cursor: { sync: { key: "monitor" }, drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
        legend: { show: false },
        scales: { y: { range: range(line) } },
        axes: [
          { stroke: colour("--mantine-color-dimmed"), grid: { stroke: colour("--rt-line"), width: 1 }, ticks: { show: false }, font: font(target), space: 64, values: (_, ticks, __, ___, apart) => timesText(ticks, apart) },
          { stroke: colour("--mantine-color-dimmed"), grid: { stroke: colour("--rt-line"), width: 1 }, ticks: { show: false }, font: font(target), size: 58, values: (_, ticks) => ticksText(ticks, line.unit) },
        ],
        series: [
          {},
          { stroke: colour("--rt-band"), width: 1, points: { show: false } },
          { stroke: colour("--rt-band"), width: 1, points: { show: false } },
          { stroke: colour("--rt-band"), width: 3, points: { show: false } },
          { stroke: colour("--rt-link"), width: 1.6, points: { show: line.points.length < 40, filter: (_, __, show) => (show ? null : alone), size: 4 } },
          { stroke: colour("--rt-link"), paths: () => null, points: { show: true, size: 7, fill: colour("--rt-surface") } },
        ],
        bands: [{ series: [1, 2], fill: colour("--rt-open-soft") }],
        hooks: {
          drawClear: [(u) => shade(u, stretches, colour)],
          draw: [(u) => mark(u, marks, colour, font(target))],
          setCursor: [(u) => setAt(u.cursor.idx ?? null)],
          setSelect: [
            (u) => {
              if (u.select.width < 4) return;
              const [from, until] = [u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")];
              u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
              zooming.current?.(from * 1000, until * 1000);
            },
          ],
        },
      },
      columns(line),
      target,
    );
    drawn.current = plot;
    const watch = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height }));
    watch.observe(target);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [line, height, stretches, marks, scheme, paper]);
  const point = at == null ? undefined : line.points[at];
  const first = at == null || !point?.over || point.over === 1 ? undefined : line.points[at - point.over + 1];
  return (
    <div className={classes.chart}>
      <div
        ref={place} style={{ height }} role="img" aria-label={summary(line)} tabIndex={0} onFocus={() => steer(true)} onBlur={() => steer(false)}
        onKeyDown={(event) => drawn.current && step(drawn.current, event)}
      />
      <div className={classes.readout} aria-live={steered ? "polite" : "off"}>{point ? readout(point, line.unit, days ? day : moment, first) : summary(line)}</div>
    </div>
  );
}

/** step moves the cursor from point to point with the arrow keys, Home and End. */
function step(plot: uPlot, event: KeyboardEvent) {
  const by = { ArrowLeft: -1, ArrowRight: 1, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY }[event.key];
  const times = plot.data[0];
  if (by === undefined || times.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const from = plot.cursor.idx ?? (by < 0 ? times.length : -1);
  const to = Math.min(times.length - 1, Math.max(0, from + by));
  plot.setCursor({ left: plot.valToPos(times[to] ?? 0, "x"), top: 10 });
}

function columns({ points }: Line): uPlot.AlignedData {
  return [
    points.map((p) => p.at / 1000),
    points.map((p) => p.high ?? null),
    points.map((p) => p.low ?? null),
    points.map((p) => (p.over ? (p.expected ?? null) : null)),
    points.map((p) => p.value ?? null),
    points.map((p) => p.soFar ?? null),
  ];
}

/** range is the range of the axis: all values and what was expected. The band may reach beyond it, since with few calls it is so wide that the line would be flat. */
function range(line: Line): [number, number] {
  const all = line.points.flatMap((p) => [p.value, p.soFar, p.expected]).filter((v): v is number => v != null);
  const high = Math.max(0, ...all);
  const low = Math.min(0, ...all);
  return high === low ? [0, 1] : [low, high + (high - low) * 0.25];
}

/** colours reads the theme's variables, which a canvas cannot. */
function colours(target: HTMLElement) {
  const style = getComputedStyle(target);
  return (name: string) => style.getPropertyValue(name).trim() || "#888";
}

function font(target: HTMLElement): string {
  return `11px ${getComputedStyle(target).fontFamily}`;
}

function shade(u: uPlot, stretches: NonNullable<ChartProps["stretches"]>, colour: (name: string) => string) {
  for (const { from, until, worse } of stretches) {
    const [left, right] = [u.valToPos(from / 1000, "x", true), u.valToPos(until / 1000, "x", true)];
    const start = Math.max(left, u.bbox.left);
    u.ctx.fillStyle = colour(worse ? "--rt-failed-soft" : "--rt-running-soft");
    u.ctx.fillRect(start, u.bbox.top, Math.max(2, Math.min(right, u.bbox.left + u.bbox.width) - start), u.bbox.height);
  }
}

function mark(u: uPlot, marks: NonNullable<ChartProps["marks"]>, colour: (name: string) => string, face: string) {
  u.ctx.save();
  u.ctx.font = face.replace("11px", `${11 * devicePixelRatio}px`);
  u.ctx.textAlign = "left";
  const free: number[] = []; // where the last name of each row ends: names that would overlap go into the next row
  const right = u.bbox.left + u.bbox.width;
  for (const { at, name } of [...marks].sort((a, b) => a.at - b.at)) {
    const x = u.valToPos(at / 1000, "x", true);
    if (x < u.bbox.left || x > right) continue;
    u.ctx.strokeStyle = colour("--rt-warn");
    u.ctx.lineWidth = 1.6 * devicePixelRatio;
    u.ctx.setLineDash([4, 3]);
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.bbox.top);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.fillStyle = colour("--rt-warn");
    const text = clipped(name, 24);
    const wide = u.ctx.measureText(text).width;
    const start = x + 4 + wide > right ? x - 4 - wide : x + 4; // the name of the newest version would be cut off at the right
    const fitting = free.findIndex((end) => end < start);
    const row = fitting < 0 ? free.length : fitting;
    free[row] = start + wide + 12 * devicePixelRatio;
    if (row < 4) u.ctx.fillText(text, start, u.bbox.top + (11 + 13 * row) * devicePixelRatio);
  }
  u.ctx.restore();
}
