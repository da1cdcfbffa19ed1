import { isTransient } from "../../api/problem";
import { Pace } from "../../api/recover";
import { draw, type Feel, heightOf, type Hit, type Outline, type Scene } from "./draw";
import type { Player } from "./player";
import type { Story, Stretch } from "./story";
import { following, type Tile, tilesOf, type View, within, zoomed } from "./view";

/** Peaks is how many peaks an outline has for each channel. */
export const Peaks = 2000;

/** Parts are the elements of the page that a Stage draws on and moves. */
export interface Parts {
  canvas: HTMLCanvasElement;
  head: HTMLElement;
  tip: HTMLElement;
  map: HTMLCanvasElement;
  window: HTMLElement;
  mapHead: HTMLElement;
}

type FetchTile = (tile: Tile, signal: AbortSignal) => Promise<Outline>;

interface Content {
  story: Story;
  feels: Feel[];
  turns: { caller: Stretch[]; agent: Stretch[] };
  /** fetchTile gives the outline of a tile; null when the call has no sound. */
  fetchTile: FetchTile | null;
}

const Colors = ["caller", "agent", "failed", "void", "warn", "running", "line", "sunken"];

/** Stage draws a call and pans and zooms over it. It draws when something has changed, at most once per frame and without React: rendering 60 times a second would be too slow. */
export class Stage {
  private view: View;
  private readonly tiles = new Map<string, Outline | null>(); // null: requested, or not to be had
  private readonly refused = new Set<string>(); // to be requested again after a while
  private again: ReturnType<typeof setTimeout> | undefined;
  private hits: Hit[] = [];
  private width = 1;
  private due = 0;
  private closed = false;
  private readonly asking = new AbortController();
  private colors: Record<string, string> = {};
  private dirty = true;
  private mapDrawn = false; // the map changes only with its width and colours
  private readonly leave: () => void;
  private readonly observer: ResizeObserver;
  private held = 0; // until when the view does not follow the playback, because somebody has moved it

  constructor(private readonly parts: Parts, private readonly player: Player, private readonly content: Content) {
    this.view = { from: 0, span: player.length };
    this.leave = player.subscribe(this.moved);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(parts.canvas.parentElement ?? parts.canvas);
    this.recolor();
  }

  /** recolor takes the colours of the page's scheme. For paper it draws at once: the browser prints what is there when it returns. */
  recolor(paper = false) {
    const style = getComputedStyle(this.parts.canvas);
    this.colors = Object.fromEntries(Colors.map((name) => [name, style.getPropertyValue(`--rt-${name}`)]));
    this.colors["dimmed"] = style.getPropertyValue("--mantine-color-dimmed");
    this.mapDrawn = false;
    this.later(true);
    if (!paper) return;
    cancelAnimationFrame(this.due);
    this.frame();
  }

  close() {
    this.leave();
    this.observer.disconnect();
    cancelAnimationFrame(this.due);
    clearTimeout(this.again);
    this.closed = true;
    this.asking.abort();
  }

  /** timeAt is the second at a horizontal position on the screen. */
  timeAt(clientX: number): number {
    const box = this.parts.canvas.getBoundingClientRect();
    return this.view.from + ((clientX - box.left) / box.width) * this.view.span;
  }

  zoom(factor: number, at = this.player.time) {
    const center = at >= this.view.from && at <= this.view.from + this.view.span ? at : this.view.from + this.view.span / 2;
    this.look(zoomed(this.view, factor, center, this.player.length));
  }

  whole() {
    this.look({ from: 0, span: this.player.length });
  }

  /** scroll moves the view by a share of itself. */
  scroll(share: number) {
    this.held = performance.now() + 4000;
    this.look(within({ ...this.view, from: this.view.from + share * this.view.span }, this.player.length));
  }

  /** center moves the view to a position on the map of the whole call. */
  center(clientX: number) {
    const box = this.parts.map.getBoundingClientRect();
    const at = ((clientX - box.left) / box.width) * this.player.length;
    this.held = performance.now() + 4000;
    this.look(within({ ...this.view, from: at - this.view.span / 2 }, this.player.length));
  }

  /** point shows what is under the pointer. */
  point(clientX: number, clientY: number) {
    const box = this.parts.canvas.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    const hit = this.hits.findLast((h) => x >= h.x && x <= h.x + h.width && y >= h.y && y <= h.y + h.height);
    this.parts.tip.textContent = hit?.text ?? "";
    this.parts.tip.style.display = hit ? "block" : "none";
    if (hit) this.parts.tip.style.transform = `translate(${Math.min(Math.max(x, 60), this.width - 60)}px, ${y + 14}px) translateX(-50%)`;
  }

  private look(view: View) {
    this.view = view;
    this.later(true);
  }

  private moved = () => this.later(false);

  private resize() {
    const width = this.parts.canvas.parentElement?.clientWidth ?? 0;
    if (width === 0) return;
    this.width = width;
    this.mapDrawn = false;
    const scale = window.devicePixelRatio || 1;
    for (const [canvas, height] of [[this.parts.canvas, heightOf(this.content.feels)], [this.parts.map, 26]] as const) {
      canvas.width = width * scale;
      canvas.height = height * scale;
      canvas.style.height = `${height}px`;
      canvas.getContext("2d")?.setTransform(scale, 0, 0, scale, 0, 0);
    }
    this.later(true);
  }

  private later(dirty: boolean) {
    this.dirty ||= dirty;
    if (this.due === 0 && !this.closed) this.due = requestAnimationFrame(this.frame);
  }

  private frame = () => {
    this.due = 0;
    const { time, length, playing } = this.player;
    if (playing && performance.now() > this.held) {
      const view = following(this.view, time, length);
      if (view !== this.view) {
        this.view = view;
        this.dirty = true;
      }
    }
    if (this.dirty) this.paint();
    this.dirty = false;
    const x = ((time - this.view.from) / this.view.span) * this.width;
    this.parts.head.style.transform = `translateX(${x}px)`;
    this.parts.head.style.visibility = x < 0 || x > this.width ? "hidden" : "visible";
    this.parts.mapHead.style.transform = `translateX(${(time / length) * this.width}px)`;
  };

  private paint() {
    const pen = this.parts.canvas.getContext("2d");
    const map = this.parts.map.getContext("2d");
    if (!pen || !map) return;
    const { story, feels, turns } = this.content;
    const scene: Scene = { story, feels, turns, outlines: this.outlines(), view: this.view, width: this.width, colors: this.colors };
    this.hits = draw(pen, scene);
    if (!this.mapDrawn) this.paintMap(map);
    this.mapDrawn = true;
    const { from, span } = this.view;
    this.parts.window.style.transform = `translateX(${(from / this.player.length) * this.width}px)`;
    this.parts.window.style.width = `${Math.max((span / this.player.length) * this.width, 4)}px`;
  }

  private paintMap(pen: CanvasRenderingContext2D) {
    const { length } = this.player;
    pen.clearRect(0, 0, this.width, 26);
    const bar = (list: Stretch[], color: string, y: number, height: number) => {
      pen.fillStyle = this.colors[color] ?? "";
      for (const { start, end } of list) pen.fillRect((start / 1000 / length) * this.width, y, Math.max(((end - start) / 1000 / length) * this.width, 1), height);
    };
    bar(this.content.turns.caller, "caller", 6, 8);
    bar(this.content.turns.agent, "agent", 15, 8);
    bar(this.content.story.findings, "failed", 0, 5);
  }

  /** outlines are those for the view. Missing ones are fetched, and coarser ones stand in for them until they arrive. */
  private outlines(): Outline[] {
    const fetchTile = this.content.fetchTile;
    if (!fetchTile) return [];
    const out: Outline[] = [];
    for (const tile of tilesOf(this.view, this.player.length, this.width * (window.devicePixelRatio || 1), Peaks)) {
      const found = this.tile(tile, fetchTile) ?? this.coarser(tile);
      if (found && !out.includes(found)) out.push(found);
    }
    const whole = this.tile({ level: 0, place: 0 }, fetchTile);
    return out.includes(whole as Outline) ? [whole as Outline] : out;
  }

  private tile(tile: Tile, fetchTile: FetchTile): Outline | null {
    const key = `${tile.level}/${tile.place}`;
    const known = this.tiles.get(key);
    if (known !== undefined) return known;
    this.tiles.set(key, null);
    fetchTile(tile, this.asking.signal).then(
      (outline) => {
        this.tiles.set(key, outline);
        this.later(true);
      },
      (error) => isTransient(error) && this.askAgain(key),
    );
    return null;
  }

  /** askAgain requests a tile once more after a while. Until it arrives a coarser one stands in for it, or the turns alone. */
  private askAgain(key: string) {
    this.refused.add(key);
    if (this.closed) return;
    this.again ??= setTimeout(() => {
      for (const each of this.refused) this.tiles.delete(each);
      this.refused.clear();
      this.again = undefined;
      this.later(true);
    }, Pace);
  }

  private coarser({ level, place }: Tile): Outline | null {
    for (let up = 1; up <= level; up++) {
      const found = this.tiles.get(`${level - up}/${place >> up}`);
      if (found) return cut(found, level, place, this.player.length);
    }
    return null;
  }
}

/** cut is the part of a coarser outline that a tile covers, so that it is not drawn over the finer ones beside it. */
function cut(outline: Outline, level: number, place: number, length: number): Outline {
  const size = length / 2 ** level;
  const n = outline.caller.length / 2;
  const per = (outline.until - outline.from) / n;
  const [a, b] = [Math.floor((place * size - outline.from) / per), Math.ceil(((place + 1) * size - outline.from) / per)];
  const [first, last] = [Math.max(a, 0), Math.min(b, n)];
  return { from: outline.from + first * per, until: outline.from + last * per, caller: outline.caller.slice(2 * first, 2 * last), agent: outline.agent.slice(2 * first, 2 * last) };
}
