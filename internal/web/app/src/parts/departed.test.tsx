import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Departed } from "./departed";
import type { Departure } from "./departures";
import { Routed } from "./routed";

// Merged from several: n and seen are those of the worst of them, start and end those of all.
const merged: Departure = {
  agent_id: "agt_1", dimension: null, value: null, metric: "failed_rate", unit: "share", form: "step", severity: "critical", worse: true, start: 3_600_000, end: 90_000_000, open: true, told_at: 1,
  n: 13, seen: 0.69, expected: 0.05, low: 0, high: 0.2, score: 9, sure: 0.999, text: "", like_day: null, one_caller: 0, peak: { at: 1, seen: 1, expected: 0 },
};

it("leads to the calls of a departure without the number of others that it is based on", () => {
  render(<Routed><Departed departures={[merged]} nameOf={() => "support"} all={{ search: {} }} /></Routed>);
  expect(screen.getByRole("link", { name: "Calls" }).getAttribute("href")).toContain("from=3600000&until=90000000");
  expect(screen.queryByRole("link", { name: /13/ })).toBeNull();
});
