import { describe, expect, it } from "vitest";
import { arrivalOf } from "./arrival";

describe("where somebody goes after signing in", () => {
  it("is a path of ours, or the overview", () => {
    expect(arrivalOf("/calls?verdict=failed")).toBe("/calls?verdict=failed");
    for (const elsewhere of ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "", undefined]) expect(arrivalOf(elsewhere)).toBe("/");
  });
});
