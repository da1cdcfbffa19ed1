import { describe, expect, it } from "vitest";
import { chipsOf, filterOf, pairOf, questionOf, withPair } from "./filter";

describe("a filter of calls", () => {
  it("passes over what is none", () => {
    const filter = filterOf({ origin: "moon", verdict: "failed", status: ["ENDED"], from: "x", until: "17", last: "7d", meta: ["a=1", "=2", 3, "b"], q: 49 });
    expect(JSON.parse(JSON.stringify(filter))).toEqual({ q: "49", verdict: "failed", until: 17, meta: ["a=1"] });
    for (const last of ["constructor", "__proto__"]) expect(filterOf({ last }).last).toBeUndefined(); // every object has these, and none is a stretch of time
  });
  it("leaves nothing of what is not valid, over which the router lays it", () => {
    for (const search of [{ left: [], failing: {}, dim: "model" }, { left: "late", failing: "4;17", dim: 5, value: "" }]) {
      expect(chipsOf({ ...(search as object), ...filterOf(search) }, (id) => id)).toEqual([]);
    }
  });
  it("passes over moments that no date can hold", () => {
    const filter = filterOf({ from: 9_000_000_000_000_000, until: 253_402_300_800_000, last: "7d" });
    expect(chipsOf(filter, (id) => id).map((chip) => chip.label)).toEqual(["last 7 days"]);
    expect(filterOf({ until: 253_402_300_799_999 }).until).toBe(253_402_300_799_999);
  });
  it("asks the service in its words", () => {
    expect(questionOf({ last: "1h", end: "busy", agent: "agt_1", meta: ["plan=a=b"], upset: "true", q: " +49 " }, 10_000_000)).toEqual({
      search: "+49", agent_id: "agt_1", end_reason: "busy", upset: "true", from: 6_400_000, "metadata.plan": "a=b",
    });
  });
  it("takes any key of metadata apart from its value", () => {
    for (const key of ["plan", "a=b", "100%", "%3D", "50%25=", "ü ;"]) {
      const filter = filterOf({ meta: [pairOf(key, "c=d%3D")] });
      expect(questionOf(filter, 0)).toEqual({ [`metadata.${key}`]: "c=d%3D" });
      expect(chipsOf(filter, (id) => id).map((chip) => chip.label)).toEqual([`${key}: c=d%3D`]);
    }
    expect(questionOf(filterOf({ meta: ["100%=x"] }), 0)).toEqual({ "metadata.100%": "x" });
  });
  it("has one value for a key of metadata, the one that came last", () => {
    expect(withPair(["plan=a", "tier=1"], "plan=b")).toEqual(["tier=1", "plan=b"]);
    expect(filterOf({ meta: ["plan=a", "tier=1", "plan=b"] }).meta).toEqual(["tier=1", "plan=b"]);
  });
  it("asks for the place where callers left", () => {
    const search = { left: "seconds:3600+", dim: "model", value: "m1" };
    expect(questionOf(filterOf(search), 0)).toEqual({ left_seconds: "3600+", dimension: "model", value: "m1" });
    expect(questionOf(filterOf({ left: "stage:a:b" }), 0)).toEqual({ left_stage: "a:b" });
    expect(chipsOf(filterOf({ left: "turns:1" }), (id) => id).map((chip) => chip.label)).toEqual(["left early after 1 turn"]);
    expect(filterOf({ left: "turns:x", dim: "model" }).left).toBeUndefined();
  });
  it("asks for failing calls and for a value of a dimension, as monitoring counts them", () => {
    expect(questionOf(filterOf({ failing: "4,17", dim: "agent_version", value: "v42" }), 0)).toEqual({ failing_alike: "4,17", dimension: "agent_version", value: "v42" });
    expect(questionOf(filterOf({ failing: "any", dim: "model" }), 0)).toEqual({ failing: "true" });
    expect(filterOf({ failing: "4,x" }).failing).toBeUndefined();
    expect(chipsOf(filterOf({ failing: "any", dim: "agent_version", value: "v42" }), (id) => id).map((chip) => chip.label)).toEqual(["failing", "agent version: v42"]);
  });
  it("shows each part as a chip that takes it away", () => {
    const chips = chipsOf({ verdict: "not_evaluated", from: 1, meta: ["a=1", "b=2"] }, (id) => id);
    expect(chips.map((chip) => chip.without)).toEqual([{ verdict: undefined }, { from: undefined, until: undefined }, { meta: ["b=2"] }, { meta: ["a=1"] }]);
  });
});
