import { describe, expect, it } from "vitest";
import { following, tick, tilesOf, within, zoomed } from "./view";

const hour = 3600;

describe("a view of a call", () => {
  it("stays inside it", () => {
    expect(within({ from: -5, span: 10 }, 60)).toEqual({ from: 0, span: 10 });
    expect(within({ from: 58, span: 10 }, 60)).toEqual({ from: 50, span: 10 });
    expect(within({ from: 0, span: 900 }, 60)).toEqual({ from: 0, span: 60 });
    expect(within({ from: 0, span: 0.1 }, 1)).toEqual({ from: 0, span: 1 });
  });
  it("zooms around a moment", () => {
    expect(zoomed({ from: 0, span: 100 }, 2, 50, 100)).toEqual({ from: 25, span: 50 });
    expect(zoomed({ from: 25, span: 50 }, 0.25, 50, 100)).toEqual({ from: 0, span: 100 });
  });
  it("turns the page for a moment out of sight, and stays otherwise", () => {
    const view = { from: 0, span: 10 };
    expect(following(view, 5, hour)).toBe(view);
    expect(following(view, 100, hour).from).toBeCloseTo(99.4);
  });
  it("asks for outlines as fine as the screen", () => {
    expect(tilesOf({ from: 0, span: hour }, hour, 1200, 2000)).toEqual([{ level: 0, place: 0 }]);
    const near = tilesOf({ from: 1795, span: 10 }, hour, 1200, 2000);
    expect(near).toHaveLength(2);
    expect((hour / 2 ** (near[0]?.level ?? 0) / 2000) * 1200).toBeLessThanOrEqual(10);
  });
  it("marks time with room for the words", () => {
    expect([tick(hour, 1000), tick(20, 1000), tick(2, 1000)]).toEqual([300, 2, 0.2]);
  });
});
