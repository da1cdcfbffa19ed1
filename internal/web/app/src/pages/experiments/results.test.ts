import { expect, it } from "vitest";
import { paceOf, type Results } from "./results";

const run = (status: string, ...calls: { status: string; scoring_status: string }[]) => ({ voice_experiment: { status, counts: { calls: calls.length } }, scenarios: [{ calls }, { calls: [] }] }) as unknown as Results;

it("goes on asking for a canceled run while calls of it are scored", () => {
  const scored = { status: "ENDED", scoring_status: "SCORED" };
  const never = { status: "CANCELED", scoring_status: "SKIPPED" };
  for (const scoring_status of ["PENDING", "SCORING"]) expect(paceOf(run("CANCELED", scored, { status: "ENDED", scoring_status }), "connecting")).toBe(5_000);
  expect(paceOf(run("CANCELED", scored, never, { status: "CANCELED", scoring_status: "PENDING" }), "connecting")).toBe(false);
  expect(paceOf(run("FINISHED", scored), "connecting")).toBe(false);
  expect(paceOf(run("RUNNING"), "open")).toBe(20_000);
  expect(paceOf(run("RUNNING"), "broken")).toBe(3_000);
  expect(paceOf(undefined, "broken")).toBe(false);
});

it("asks for a large run less often, and in the end no less often than for what the stream may have missed", () => {
  const large = (calls: number) => ({ ...run("RUNNING"), voice_experiment: { status: "RUNNING", counts: { calls } } }) as unknown as Results;
  expect(paceOf(large(2_000), "broken")).toBe(10_000);
  expect(paceOf(large(10_000), "broken")).toBe(20_000);
});
