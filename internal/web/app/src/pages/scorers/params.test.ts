import { describe, expect, it } from "vitest";
import { errorOf, inWords, isUnread, readable, sent } from "./params";

describe("the settings of a scorer", () => {
  it("are sent without what is not set", () => {
    expect(sent({ phrase: "a", never: undefined, rubric: [], metric: "", max: 0 })).toEqual({ phrase: "a", max: 0 });
  });
  it("are told in a line, and blamed at their place", () => {
    expect(inWords({ phrase: "a", max: 3, any_of: ["x", "y"] })).toBe("phrase “a”, max 3, any_of x; y");
    expect(errorOf({ "params.rubric[1]": "is empty", "params.rub": "no" }, "rubric")).toBe("[1] is empty");
    expect(errorOf({ "params.max": "must be a number" }, "max")).toBe("must be a number");
    expect(errorOf({}, "max")).toBeUndefined();
  });
});

describe("a setting that is written as JSON", () => {
  const draft = { kind: "k", name: "", optional: false, params: { a: 1, b: 2 } };
  it("keeps the draft from being saved while it cannot be read, for what it was before is not what is meant", () => {
    const spoilt = readable(readable(draft, "a", undefined), "b", { value: 3 });
    expect([isUnread(draft), isUnread(spoilt), spoilt.params]).toEqual([false, true, { a: 1, b: 3 }]);
    expect(readable(spoilt, "a", { value: 4 })).toEqual({ ...draft, unread: [], params: { a: 4, b: 3 } });
    expect(readable(draft, "", { value: { c: 5 } }).params).toEqual({ c: 5 });
  });
  it("is not read as no settings where all of them together are no object", () => {
    for (const value of [[], 3, null, "a"]) expect(readable(draft, "", { value })).toEqual({ ...draft, unread: [""] });
  });
});
