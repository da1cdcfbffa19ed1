import { cleanup, render } from "@testing-library/react";
import { expect, it } from "vitest";
import { Bar } from "./passrate";

it("marks a share where it is, by a line that does not grow with the bar", () => {
  for (const value of [0, 0.5, 1]) {
    const { container } = render(<Bar rate={{ value, low: 0, high: 1 }} width="100%" />);
    const mark = container.querySelector("[vector-effect=non-scaling-stroke]");
    expect([mark?.getAttribute("x1"), mark?.getAttribute("x2"), mark?.getAttribute("stroke-width")]).toEqual([String(100 * value), String(100 * value), "3"]);
    cleanup();
  }
});
