import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Pace } from "../../api/recover";
import type { Outline } from "./draw";
import { Player } from "./player";
import { type Parts, Stage } from "./stage";
import type { Story } from "./story";
import type { Tile } from "./view";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** pen draws nothing. */
const pen = new Proxy({}, { get: (_, name) => (name === "measureText" ? () => ({ width: 10 }) : () => undefined), set: () => true });

function parts(): Parts {
  const canvas = () => Object.assign(document.createElement("canvas"), { getContext: () => pen as never });
  const box = () => document.createElement("div");
  return { canvas: canvas(), map: canvas(), head: box(), tip: box(), window: box(), mapHead: box() };
}

const story = { entries: [], replies: [], silences: [], overlaps: [], findings: [], length: 60_000, timed: true } as unknown as Story;
const outline: Outline = { from: 0, until: 60, caller: [0, 0], agent: [0, 0] };

/** staged is a stage whose outline is given by fetchTile. */
function staged(fetchTile: (tile: Tile, signal: AbortSignal) => Promise<Outline>): Stage {
  return new Stage(parts(), new Player(null, 60, 0), { story, feels: [], turns: { caller: [], agent: [] }, fetchTile });
}

it("asks for an outline again that the service could not give, and no more once it is there", async () => {
  const fetchTile = vi.fn().mockRejectedValueOnce(new TypeError("Failed to fetch")).mockResolvedValue(outline);
  const stage = staged(fetchTile);
  await vi.advanceTimersByTimeAsync(Pace - 1000);
  expect(fetchTile).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(5 * Pace);
  expect(fetchTile).toHaveBeenCalledTimes(2);
  stage.close();
});

it("asks once for an outline that cannot be had", async () => {
  const fetchTile = vi.fn().mockRejectedValue({ status: 404, code: "not_found" });
  const stage = staged(fetchTile);
  await vi.advanceTimersByTimeAsync(5 * Pace);
  expect(fetchTile).toHaveBeenCalledTimes(1);
  stage.close();
});

it("asks for nothing once it is closed", async () => {
  const fetchTile = vi.fn().mockRejectedValue(new TypeError("Failed to fetch"));
  const stage = staged(fetchTile);
  await vi.advanceTimersByTimeAsync(Pace - 1000);
  stage.close();
  await vi.advanceTimersByTimeAsync(5 * Pace);
  expect(fetchTile).toHaveBeenCalledTimes(1);
});

it("ends what it has asked for when it is closed", async () => {
  const fetchTile = vi.fn<(tile: Tile, signal: AbortSignal) => Promise<Outline>>(() => new Promise(() => undefined));
  const stage = staged(fetchTile);
  await vi.advanceTimersByTimeAsync(100);
  const signal = fetchTile.mock.calls[0]?.[1];
  expect(signal?.aborted).toBe(false);
  stage.close();
  expect(signal?.aborted).toBe(true);
});
