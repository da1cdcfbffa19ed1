import { describe, expect, it } from "vitest";
import { nextOf, sortedBy } from "./sort";

const columns = [{ key: "length", value: (row: { ms: number | null; name: string }) => row.ms }, { key: "name", value: (row: { name: string }) => row.name }, { key: "plain" }];
const rows = [{ ms: 2, name: "b" }, { ms: null, name: "ä" }, { ms: 10, name: "a" }, { ms: 2, name: "c" }];
const names = (by: string | undefined) => sortedBy(rows, columns, by).map(({ name }) => name).join("");

describe("rows of a table", () => {
  it("are put in order by a column, those without a value last, equal ones as they were", () => {
    expect(names("length")).toBe("bcaä");
    expect(names("-length")).toBe("abcä");
    expect(names("name")).toBe("aäbc");
  });

  it("stay as they are by nothing, and by what no column sorts", () => {
    for (const by of [undefined, "plain", "nonsense", "-"]) expect(names(by)).toBe("bäac");
  });

  it("are sorted one way, the other way, and not any more", () => {
    expect([undefined, "-ms", "ms", "other"].map((by) => nextOf("ms", by, true))).toEqual(["-ms", "ms", undefined, "-ms"]);
    expect([undefined, "name", "-name"].map((by) => nextOf("name", by, false))).toEqual(["name", "-name", undefined]);
  });
});
