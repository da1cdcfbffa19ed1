import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { Routed } from "../../parts/routed";
import { Chart } from "./chart";

const hour = 3_600_000;
const line = { metric: "calls", unit: "calls", points: [1, 2, 3].map((value, n) => ({ at: n * hour, value, n: value })) } as unknown as Schemas["TrendLine"];

const written = new Map<unknown, number>(); // where each text begins

/** canvas stands in for the drawing that the window of the tests cannot do: each text is 10 px wide, and whatever else is asked of it does nothing. */
const canvas: object = new Proxy({}, { get: (_, name) => (name === "fillText" ? (text: string, x: number) => void written.set(text, x) : () => ({ width: 10 })), set: () => true });

beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(canvas as never);
  vi.stubGlobal("Path2D", class { moveTo() {} lineTo() {} rect() {} arc() {} closePath() {} addPath() {} });
});

it("writes the name of a version right of its first call, and left of it where there is no room", async () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(500);
  const marks = [{ at: hour, name: "v1" }, { at: 2 * hour, name: "v2" }];
  render(<Routed><Chart line={line} height={100} until={3 * hour} now={4 * hour} marks={marks} /></Routed>);
  await waitFor(() => expect(written.has("v2")).toBe(true));
  const [first = 0, second = 0] = [written.get("v1"), written.get("v2")];
  expect([first, second].map(Math.round)).toEqual([271, 461]); // the first calls are at 267 and at 475, where the chart ends
});

it("speaks of a point only where the keyboard is, though all charts of a page show it", () => {
  const chart = <Chart line={line} height={100} until={3 * hour} now={4 * hour} />;
  render(<Routed>{chart}{chart}</Routed>);
  const charts = screen.getAllByRole("img");
  const spoken = () => charts.map((each) => each.nextElementSibling?.getAttribute("aria-live") === "polite");
  expect(spoken()).toEqual([false, false]);
  const [first, second] = charts as [HTMLElement, HTMLElement];
  for (const [each, told] of [[first, [true, false]], [second, [false, true]]] as const) {
    act(() => each.focus());
    fireEvent.keyDown(each, { key: "ArrowRight" });
    expect(spoken()).toEqual(told);
  }
  act(() => second.blur());
  expect(spoken()).toEqual([false, false]);
});
