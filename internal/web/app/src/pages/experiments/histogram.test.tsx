import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Histogram } from "./histogram";
import type { Metric } from "./results";

/** show draws a metric whose values lie between two ends. */
function show(from: number, until: number, values: number) {
  const metric = { name: "yield_time", unit: "s", values, calls: values, p50: { value: from }, p95: { value: from }, histogram: [{ from, until, count: values }] };
  const { container } = render(
    <MantineProvider env="test">
      <Histogram metric={metric as unknown as Metric} title="Yield time" />
    </MantineProvider>,
  );
  return [...container.querySelectorAll("[aria-hidden] span")].map((end) => end.textContent);
}

it("names the ends of what it draws", () => {
  expect(show(1, 2, 3)).toEqual(["1.00 s", "2.00 s"]);
  expect(screen.getByRole("img").getAttribute("aria-label")).toContain("3 values of 3 calls");
});

it("names a value that stands alone once", () => {
  expect(show(4.42, 4.42, 1)).toEqual(["4.42 s"]);
  expect(screen.getByRole("img").getAttribute("aria-label")).toContain("1 value of 1 call;");
});
