import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { Routed } from "../../parts/routed";
import { Chart } from "./chart";

const hour = 3_600_000;
const line = { metric: "calls", unit: "calls", points: [1, 2, 3].map((value, n) => ({ at: n * hour, value, n: value })) } as unknown as Schemas["TrendLine"];

/** canvas stands in for the drawing that the window of the tests cannot do: whatever is asked of it does nothing, and each text is 10 px wide. */
const canvas: object = new Proxy({}, { get: () => () => ({ width: 10 }), set: () => true });

it("speaks of a point only where the keyboard is, though all charts of a page show it", () => {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(canvas as never);
  vi.stubGlobal("Path2D", class { moveTo() {} lineTo() {} rect() {} arc() {} closePath() {} addPath() {} });
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
