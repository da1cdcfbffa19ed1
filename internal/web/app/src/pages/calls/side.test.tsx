import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Latencies } from "./side";
import type { Detail } from "./types";

const none = { n: 0, mean: null, p50: null, p90: null, p95: null, p99: null, min: null, max: null };

it("calls a mean that the platform reported a mean, and not a median", () => {
  const latency = { turn: { ...none, n: 1200, mean: 1.4, max: 6 }, model: { ...none, n: 7, p50: 0.4, p95: 0.9, mean: 0.5, max: 1 }, voice: { ...none, mean: 0.3 } };
  render(<Latencies call={{ metrics: {}, reported: { latency } as unknown as Detail["reported"] }} />);
  const cells = (name: string) => [...(screen.getByRole("row", { name }).querySelectorAll("td") ?? [])].map((cell) => cell.textContent);
  expect(cells("turn, reported mean 1.40 s longest 6.00 s 1,200")).toEqual(["mean 1.40 s", "longest 6.00 s", "1,200"]);
  expect(cells("voice, reported mean 300 ms – –")).toEqual(["mean 300 ms", "–", "–"]); // of how many is not told
  expect(cells("model, reported 400 ms 900 ms 7")).toEqual(["400 ms", "900 ms", "7"]);
});
