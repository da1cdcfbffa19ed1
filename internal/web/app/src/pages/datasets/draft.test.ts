import { describe, expect, it } from "vitest";
import { compact, faultsOf, moved, nameOf, put, valueAt, whole } from "./draft";

describe("an item that is being written", () => {
  it("takes a value at any place", () => {
    const item = put({}, ["input", "persona", "name"], "Ann");
    expect(item).toEqual({ input: { persona: { name: "Ann" } } });
    expect(valueAt(item, ["input", "persona", "name"])).toBe("Ann");
    expect(put(put(item, ["input", "script"], [{ say: "a" }]), ["input", "script", 0, "say"], "b")).toEqual({ input: { persona: { name: "Ann" }, script: [{ say: "b" }] } });
  });
  it("loses what is emptied, and the objects around it", () => {
    expect(put({ input: { persona: { name: "Ann" }, goal: "x" } }, ["input", "persona", "name"], undefined)).toEqual({ input: { goal: "x" } });
    expect(put({ output: { say: ["a"] } }, ["output", "say", 0], undefined)).toEqual({});
  });
  it("keeps the shape of what stands in a list", () => {
    const item = { input: { script: [{ wait_for_agent: { timeout_ms: 5 } }] } };
    expect(put(item, ["input", "script", 0, "wait_for_agent", "timeout_ms"], undefined)).toEqual({ input: { script: [{ wait_for_agent: {} }] } });
  });
  it("survives what is no item at all", () => {
    expect(valueAt({ input: 3 }, ["input", "script", 0, "say"])).toBeUndefined();
    expect(put({ input: "x" }, ["input", "goal"], "y")).toEqual({ input: { goal: "y" } });
    expect(whole({ id: "di_1", key: "k" })).toEqual({ key: "k", input: {}, output: {} });
  });
  it("names places as the service does, and reads the faults it finds there", () => {
    expect(nameOf(["input", "script", 2, "say"])).toBe("input.script[2].say");
    expect(faultsOf([{ path: "items[0].input.gaol", line: 4, message: "is not a known key", suggestion: "goal" }, { path: "items[0]", message: "needs a script or a goal" }])).toEqual([
      { place: "input.gaol", line: 3, message: "is not a known key; did you mean “goal”?" },
      { place: "", line: 1, message: "needs a script or a goal" },
    ]);
  });
  it("is written as a person would", () => {
    const value = { a: [{ wait_for_agent: {} }, { say: "x" }], long: ["y".repeat(50), "z".repeat(50)], none: [] };
    expect(JSON.parse(compact(value))).toEqual(value);
    expect(compact(value).split("\n")).toHaveLength(8);
    expect(compact({ a: 1 })).toBe('{ "a": 1 }');
  });
  it("moves steps", () => {
    expect(moved(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
    expect(moved(["a", "b"], 1, 2)).toEqual(["a", "b"]);
    expect(moved(["a", "b"], 0, -1)).toEqual(["a", "b"]);
  });
});
