import { describe, expect, it } from "vitest";
import { idsOf } from "./calls";
import { changesOf } from "./changes";
import { stepOf } from "./grid";
import { behaviours, expectations, firstLine, limits } from "./outline";

const key = (name: string, ctrlKey = false) => ({ key: name, ctrlKey, metaKey: false, altKey: false });

describe("the outline of an item", () => {
  it("says what it is about", () => {
    expect(firstLine({ input: { goal: "Book" }, output: {} })).toBe("Book");
    expect(firstLine({ input: { script: [{ wait_for_agent: {} }, { say: "Hello." }] }, output: {} })).toBe("“Hello.”");
    expect(firstLine({ input: {}, output: {} })).toBe("");
  });
  it("finds behaviours in branches as well", () => {
    const script = [{ interrupt: { after_ms: 1, say: "x" } }, JSON.parse('{"branch": {"cases": [{"any": ["a"], "then": [{"interrupt": {"after_ms": 1, "say": "y"}}]}]}}')];
    expect(behaviours({ input: { script }, output: {} })).toBe("interrupts ×2, branches");
  });
  it("counts expectations and names limits", () => {
    expect(expectations({ input: {}, output: { say: ["a", "b"], facts_stated: { price: "3" }, timing: { overlap_ms: 2, yield_time_ms: 3 } } })).toBe("2 say · 1 fact · 2 timings");
    expect(limits({ input: { limits: { max_duration_ms: 60_000, max_turns: 4 } }, output: {} })).toBe("≤ 1:00, 4 turns");
  });
});

describe("the cursor of the sheet", () => {
  const at = { row: 5, column: 3 };
  it("goes where the keys say, and no further than the sheet", () => {
    expect(stepOf(key("ArrowDown"), at, 10, 100)).toEqual({ row: 6, column: 3 });
    expect(stepOf(key("PageUp"), at, 10, 100)).toEqual({ row: 0, column: 3 });
    expect(stepOf(key("End", true), at, 10, 100)).toEqual({ row: 99, column: 7 });
    expect(stepOf(key("ArrowLeft", true), at, 10, 100)).toEqual({ row: 5, column: 0 });
    expect(stepOf(key("ArrowRight"), { row: 0, column: 7 }, 10, 100)).toEqual({ row: 0, column: 7 });
    expect(stepOf(key("x"), at, 10, 100)).toBeUndefined();
  });
});

describe("what a version changed", () => {
  it("is told item by item, whatever the order of the keys", () => {
    const a = { id: "1", key: "a", input: { goal: "x", language: "en" }, output: {} };
    const b = { id: "2", key: "b", input: { goal: "y" }, output: {} };
    const again = { id: "1", output: {}, input: { language: "en", goal: "x" }, key: "a" };
    expect(changesOf([a, b], [again, { ...b, input: { goal: "z" } }, { ...b, id: "3" }]).map((c) => [c.kind, c.after?.id])).toEqual([["changed", "2"], ["added", "3"]]);
    expect(changesOf([a, b], [a]).map((c) => [c.kind, c.before?.id])).toEqual([["removed", "2"]]);
  });
});

describe("ids of calls", () => {
  it("are found in any text, each once", () => {
    expect(idsOf("http://x/calls/call_01ab?t=3, call_02cd\ncall_01ab nothing")).toEqual(["call_01ab", "call_02cd"]);
  });
});
