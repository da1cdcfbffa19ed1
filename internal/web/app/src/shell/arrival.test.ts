import { describe, expect, it } from "vitest";
import { scopeOf, windowOf } from "../pages/monitor/scope";
import { arrivalOf } from "./arrival";

describe("where somebody goes after signing in", () => {
  it("is a path of ours, or the overview", () => {
    expect(arrivalOf("/calls?verdict=failed")).toBe("/calls?verdict=failed");
    for (const elsewhere of ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "", undefined]) expect(arrivalOf(elsewhere)).toBe("/");
  });
});

describe("what a page of monitoring looks at", () => {
  it("passes over what is no scope", () => {
    expect(scopeOf({ last: "9y", origin: "other", from: "x", until: 5, dim: "model" })).toEqual({});
    expect(scopeOf({ last: "1d", from: 10, until: 20 })).toEqual({ from: 10, until: 20 });
  });
  it("ends with the hour, so that it asks the same for an hour", () => {
    const hour = 3_600_000;
    expect(windowOf({}, 10 * hour + 1)).toEqual(windowOf({}, 11 * hour));
    expect(windowOf({ last: "1d" }, 100 * hour)).toMatchObject({ from: 76 * hour, until: 100 * hour });
  });
});
