import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Routed } from "../../parts/routed";
import type { Results } from "./results";
import { Summary } from "./summary";

const resultsOf = (status: string) => ({
  voice_experiment: { id: "ve_1", status, reason: "", line: "sip", repetitions: 1, created_at: 1, counts: { calls: 3, passed: 0, failed: 0, void: 1, not_evaluated: 0 } },
  pass_rate: { value: null, passed: 0, evaluated: 0, low: 0, high: 1 }, metrics: [], cost: { amount: 0, currency: "USD", line: 0, speech: 0, model: 0, missing: [] },
}) as unknown as Results;

it("holds out no verdict for the calls of a run that is over", () => {
  const { rerender } = render(<Routed><Summary results={resultsOf("RUNNING")} /></Routed>);
  expect(screen.getByText("nothing evaluated yet")).toBeTruthy();
  expect(screen.getByText("2 open")).toBeTruthy();
  rerender(<Routed><Summary results={resultsOf("CANCELED")} /></Routed>);
  expect(screen.getByText("nothing evaluated")).toBeTruthy();
  expect(screen.getByText("2 without a verdict")).toBeTruthy();
});
