import { describe, expect, it } from "vitest";
import { hunksOf, lineDiff } from "./linediff";

const told = (before: string, after: string) => lineDiff(before, after).map(({ kind, text }) => ({ same: " ", old: "-", new: "+" })[kind] + text);

describe("the difference of two texts", () => {
  it("names what was taken away and what was added", () => {
    expect(told("a\nb\nc\nd", "a\nc\nx\nd")).toEqual([" a", "-b", " c", "+x", " d"]);
  });
  it("is nothing for equal texts, and all for others", () => {
    expect(told("a\nb", "a\nb")).toEqual([" a", " b"]);
    expect(told("a", "b")).toEqual(["-a", "+b"]);
  });
  it("keeps every line of both, however they differ", () => {
    const [a, b] = ["q\nw\ne\nr\nt\nw", "w\nq\ne\nt\nt\nr"];
    const lines = lineDiff(a, b);
    expect(lines.filter((l) => l.kind !== "new").map((l) => l.text).join("\n")).toBe(a);
    expect(lines.filter((l) => l.kind !== "old").map((l) => l.text).join("\n")).toBe(b);
  });
  it("leaves out what is far from any change", () => {
    const text = Array.from({ length: 20 }, (_, n) => String(n)).join("\n");
    const hunks = hunksOf(lineDiff(text, text.replace("10", "ten")), 2);
    expect(hunks.map((h) => ("hidden" in h ? h.hidden : h.lines.length))).toEqual([8, 6, 7]);
  });
});
