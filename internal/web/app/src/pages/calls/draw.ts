import { checkName, clipped, duration, short } from "../../parts/format";
import { paceOf, type Story, type Stretch } from "./story";
import { tick, type View } from "./view";

// How a call is drawn on a canvas. It is pure: the Stage calls it, and knows what is on the screen.

/** Outline holds, for each side, pairs of the lowest and highest sample of equal parts of a stretch of the recording. Times are in seconds. */
export interface Outline {
  from: number;
  until: number;
  caller: number[];
  agent: number[];
}

/** Hit is a rectangle of the drawing with the text that is shown when it is pointed at. */
export interface Hit {
  x: number;
  width: number;
  y: number;
  height: number;
  text: string;
}

/** Feel is how the caller felt at a moment, in seconds: valence from -1 to 1, null where the words could not be read. */
export interface Feel {
  at: number;
  valence: number | null;
  upset: boolean;
  text: string;
}

/** Scene is everything that is drawn. */
export interface Scene {
  story: Story;
  feels: Feel[];
  /** turns are who spoke when; without outlines they are drawn as blocks. */
  turns: { caller: Stretch[]; agent: Stretch[] };
  outlines: Outline[];
  view: View;
  width: number;
  colors: Record<string, string>;
}

/** Rows are the heights of the rows of the drawing, from the top, in pixels. */
export const Rows = { axis: 18, findings: 16, caller: 54, agent: 54, events: 18, feeling: 34 };
const Top = { findings: Rows.axis, caller: Rows.axis + Rows.findings, agent: Rows.axis + Rows.findings + Rows.caller };
const Below = Top.agent + Rows.agent;

/** heightOf is how tall the drawing is. */
export function heightOf(feels: Feel[]): number {
  return Below + Rows.events + (feels.length > 0 ? Rows.feeling : 0);
}

type Pen = CanvasRenderingContext2D;

/** draw draws the scene and returns what can be pointed at. */
export function draw(pen: Pen, scene: Scene): Hit[] {
  const { width, colors } = scene;
  const hits: Hit[] = [];
  pen.clearRect(0, 0, width, heightOf(scene.feels));
  pen.font = "11px system-ui, sans-serif";
  pen.textBaseline = "middle";
  axis(pen, scene);
  pen.fillStyle = colors["sunken"] ?? "";
  pen.fillRect(0, Top.caller, width, Rows.caller + Rows.agent);
  bands(pen, scene, hits);
  lane(pen, scene, "caller", Top.caller, Rows.caller);
  lane(pen, scene, "agent", Top.agent, Rows.agent);
  replies(pen, scene, hits);
  findings(pen, scene, hits);
  events(pen, scene, hits);
  feeling(pen, scene, hits);
  return hits;
}

const xOf = ({ view, width }: Scene, seconds: number) => ((seconds - view.from) / view.span) * width;

/** placed is where a stretch lies on the canvas; null when it is out of view. */
function placed(scene: Scene, { start, end }: Stretch): { x: number; width: number } | null {
  const [from, until] = [xOf(scene, start / 1000), xOf(scene, end / 1000)];
  if (until < 0 || from > scene.width) return null;
  const x = Math.max(from, -2);
  return { x, width: Math.max(Math.min(until, scene.width + 2) - x, 2) };
}

function axis(pen: Pen, scene: Scene) {
  const step = tick(scene.view.span, scene.width);
  pen.fillStyle = scene.colors["dimmed"] ?? "";
  for (let n = Math.ceil(scene.view.from / step); n * step <= scene.view.from + scene.view.span; n++) {
    const at = n * step;
    const x = Math.round(xOf(scene, at));
    pen.fillRect(x, Rows.axis - 5, 1, 5);
    const text = step < 1 ? `${at.toFixed(1)} s` : duration(at * 1000);
    if (x + 3 + pen.measureText(text).width <= scene.width) pen.fillText(text, x + 3, 7);
  }
}

/** bands mark dead air and overlaps, across both channels. */
function bands(pen: Pen, scene: Scene, hits: Hit[]) {
  const mark = (stretches: Stretch[], color: string, name: string) => {
    for (const stretch of stretches) {
      const at = placed(scene, stretch);
      if (!at) continue;
      const text = `${name} ${short(stretch.end - stretch.start)}`;
      pen.fillStyle = scene.colors[color] ?? "";
      pen.globalAlpha = color === "void" ? 0.16 : 0.3;
      pen.fillRect(at.x, Top.caller, at.width, Rows.caller + Rows.agent);
      pen.globalAlpha = 1;
      if (pen.measureText(text).width + 8 < at.width) pen.fillText(text, at.x + 4, Top.caller + 8);
      hits.push({ ...at, y: Top.caller, height: Rows.caller + Rows.agent, text });
    }
  };
  mark(scene.story.silences, "void", "dead air");
  mark(scene.story.overlaps, "warn", "overlap");
}

function lane(pen: Pen, scene: Scene, side: "caller" | "agent", top: number, height: number) {
  const color = scene.colors[side] ?? "";
  pen.fillStyle = color;
  pen.globalAlpha = scene.outlines.length > 0 ? 0.12 : 0.55;
  for (const turn of scene.turns[side]) {
    const at = placed(scene, turn);
    if (at) pen.fillRect(at.x, top + 3, at.width, height - 6);
  }
  pen.globalAlpha = 1;
  for (const outline of scene.outlines) wave(pen, scene, outline, side, top + height / 2, height / 2 - 3);
}

/** wave draws one line for each pixel: the lowest and highest sample of what falls on it. */
function wave(pen: Pen, scene: Scene, outline: Outline, side: "caller" | "agent", middle: number, reach: number) {
  const peaks = outline[side];
  const n = peaks.length / 2;
  if (n === 0) return;
  const [left, right] = [Math.max(Math.floor(xOf(scene, outline.from)), 0), Math.min(Math.ceil(xOf(scene, outline.until)), scene.width)];
  const perPixel = (scene.view.span / scene.width / (outline.until - outline.from)) * n;
  const first = ((scene.view.from - outline.from) / (outline.until - outline.from)) * n;
  for (let x = left; x < right; x++) {
    const begin = Math.max(Math.floor(first + x * perPixel), 0);
    const end = Math.min(Math.max(Math.floor(first + (x + 1) * perPixel), begin + 1), n);
    let low = 0;
    let high = 0;
    for (let i = begin; i < end; i++) {
      low = Math.min(low, peaks[2 * i] ?? 0);
      high = Math.max(high, peaks[2 * i + 1] ?? 0);
    }
    // The square root makes soft speech visible.
    const [up, down] = [Math.sqrt(high) * reach, Math.sqrt(-low) * reach];
    pen.fillRect(x, middle - up, 1, Math.max(up + down, 1));
  }
}

/** replies mark how long the agent took to answer; labels that would overlap are left out. */
function replies(pen: Pen, scene: Scene, hits: Hit[]) {
  const y = Top.agent;
  let free = 0; // where the last label ended
  for (const reply of scene.story.replies) {
    const at = placed(scene, reply);
    if (!at) continue;
    pen.fillStyle = scene.colors[paceOf(reply.ms) ? "warn" : "dimmed"] ?? "";
    pen.fillRect(at.x, y - 1, at.width, 2);
    pen.fillRect(at.x, y - 4, 1, 8);
    pen.fillRect(at.x + at.width - 1, y - 4, 1, 8);
    const text = short(reply.ms);
    const wide = pen.measureText(text).width;
    const left = at.x + (at.width - wide) / 2;
    if (left > free && at.width > 8) {
      const color = pen.fillStyle;
      pen.fillStyle = scene.colors["sunken"] ?? "";
      pen.globalAlpha = 0.8;
      pen.fillRect(left - 2, y - 16, wide + 4, 13);
      pen.globalAlpha = 1;
      pen.fillStyle = color;
      pen.fillText(text, left, y - 9);
      free = left + wide + 6;
    }
    hits.push({ x: at.x - 3, width: at.width + 6, y: y - 10, height: 20, text: reply.ms < 0 ? `the agent began ${short(-reply.ms)} too early` : `turn latency ${text}` });
  }
}

function findings(pen: Pen, scene: Scene, hits: Hit[]) {
  pen.fillStyle = scene.colors["failed"] ?? "";
  for (const finding of scene.story.findings.filter((one) => one.start >= 0)) {
    const at = placed(scene, finding);
    if (!at) continue;
    const y = Top.findings;
    pen.fillRect(at.x, y + Rows.findings - 4, at.width, 3);
    pen.beginPath();
    pen.moveTo(at.x, y + 1);
    pen.lineTo(at.x + 8, y + 5);
    pen.lineTo(at.x, y + 9);
    pen.fill();
    pen.fillRect(at.x, y + 1, 1, Rows.findings - 2);
    hits.push({ x: at.x - 3, width: Math.max(at.width, 12), y, height: Rows.findings, text: `${checkName(finding.score.name)} failed: ${finding.quote || finding.score.reason}` });
  }
}

const Signs = { digit: "#", stage: "▸", hang_up: "✕", event: "•" };

function events(pen: Pen, scene: Scene, hits: Hit[]) {
  let free = -1;
  for (const entry of scene.story.entries) {
    if ((entry.kind !== "tool" && entry.kind !== "note") || entry.at === null) continue;
    const x = xOf(scene, entry.at / 1000);
    if (x < -200 || x > scene.width) continue;
    const text = entry.kind === "tool" ? `${entry.tool.name}()${entry.tool.failed ? " failed" : ""}` : entry.text;
    const label = entry.kind === "tool" ? `ƒ ${entry.tool.name}` : `${Signs[entry.icon]} ${entry.text}`;
    pen.fillStyle = scene.colors[entry.kind === "tool" && entry.tool.failed ? "failed" : "running"] ?? "";
    pen.fillRect(x, Below, 1, Rows.events - 3);
    if (x > free) {
      const shown = clipped(label, 26);
      pen.fillText(shown, x + 4, Below + 8);
      free = x + pen.measureText(shown).width + 10;
    }
    hits.push({ x: x - 4, width: 14, y: Below, height: Rows.events, text });
  }
}

function feeling(pen: Pen, scene: Scene, hits: Hit[]) {
  if (scene.feels.length === 0) return;
  const top = Below + Rows.events;
  const middle = top + Rows.feeling / 2;
  const yOf = (valence: number | null) => middle - (valence ?? 0) * (Rows.feeling / 2 - 4);
  pen.fillStyle = scene.colors["line"] ?? "";
  pen.fillRect(0, middle, scene.width, 1);
  pen.strokeStyle = scene.colors["caller"] ?? "";
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (const feel of scene.feels) if (feel.valence !== null) pen.lineTo(xOf(scene, feel.at), yOf(feel.valence));
  pen.stroke();
  // Where points would run together only the line is drawn.
  const apart = (scene.feels.length * scene.view.span) / Math.max((scene.feels.at(-1)?.at ?? 0) - (scene.feels[0]?.at ?? 0), 1) < scene.width / 10;
  for (const feel of scene.feels) {
    if (!apart && !feel.upset) continue;
    const [x, y] = [xOf(scene, feel.at), yOf(feel.valence)];
    if (x < -4 || x > scene.width + 4) continue;
    pen.fillStyle = scene.colors[feel.upset ? "failed" : "caller"] ?? "";
    pen.beginPath();
    pen.arc(x, y, feel.upset ? 4 : 2.5, 0, 7);
    pen.fill();
    hits.push({ x: x - 6, width: 12, y: top, height: Rows.feeling, text: feel.text });
  }
}
