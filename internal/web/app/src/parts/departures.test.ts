import { expect, it } from "vitest";
import { callsOf, type Departure, distinct, reasonsOf, stretchesOf, whoseCalls } from "./departures";

const nameOf = (id: string | null) => (id === null ? "all agents" : id === "agt_1" ? "Front desk" : id);

const departure = (part: Partial<Departure>): Departure => ({
  agent_id: null, dimension: null, value: null, metric: "latency_p95", unit: "s", form: "step", severity: "major", worse: true, start: 10, end: 20, open: true, told_at: 12,
  n: 40, seen: 6.5, expected: 2.3, low: 1, high: 3, score: 5, sure: 0.99, text: "", like_day: null, one_caller: 0, peak: { at: 12, seen: 7, expected: 2 }, ...part,
});

it("speaks of a metadata key by its name, and of an agent by its own", () => {
  expect(whoseCalls(departure({}), nameOf)).toBe("all agents");
  expect(whoseCalls(departure({ agent_id: "agt_1" }), nameOf)).toBe("Front desk");
  expect(whoseCalls(departure({ dimension: "metadata.customer", value: "Acme" }), nameOf)).toBe("customer Acme");
  expect(whoseCalls(departure({ dimension: "agent_version", value: "v42", agent_id: "agt_1" }), nameOf)).toBe("agent version v42, Front desk");
});

it("says once what was measured and reported alike, for the same calls alone", () => {
  const measured = departure({});
  const ofAgent = departure({ metric: "reported_latency_p95", agent_id: "agt_1" });
  expect(distinct([departure({ metric: "reported_latency_p95" }), measured, ofAgent])).toEqual([measured, ofAgent]);
});

it("leads to exactly the calls that departed", () => {
  expect(callsOf(departure({ agent_id: "agt_1" })).search).toEqual({ origin: "production", agent: "agt_1", from: 10, until: 20 });
  expect(callsOf(departure({ dimension: "metadata.customer", value: "A=B" })).search).toEqual({ origin: "production", agent: undefined, from: 10, until: 20, dim: "metadata.customer", value: "A=B" });
  expect(callsOf(departure({ dimension: "model", value: "large" })).search).toMatchObject({ dim: "model", value: "large" });
  expect(callsOf(departure({ dimension: "model", value: "other" })).search).toMatchObject({ dim: "model", value: "other" });
});

it("leads from a share to what is behind it", () => {
  expect(reasonsOf(departure({ metric: "upset_rate", agent_id: "agt_1" }))).toMatchObject({ to: "/monitor/upset", search: { agent: "agt_1", from: 10, until: 20 } });
  expect(reasonsOf(departure({}))).toBeUndefined();
});

it("marks on the course of some calls what those calls did, and not what those of a value among them did", () => {
  const found = [departure({}), departure({ start: 50, end: 60, agent_id: "agt_1", worse: false }), departure({ start: 30, end: 40, dimension: "metadata.customer", value: "Acme" })];
  expect([...stretchesOf(found, undefined)]).toEqual([["latency_p95", [{ from: 10, until: 20, worse: true }]]]);
  expect([...stretchesOf(found, "agt_1")]).toEqual([["latency_p95", [{ from: 50, until: 60, worse: false }]]]);
});
