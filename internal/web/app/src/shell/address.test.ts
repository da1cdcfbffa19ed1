import { parseSearchWith, stringifySearchWith } from "@tanstack/react-router";
import { expect, it } from "vitest";
import { readExactly } from "./address";

it("keeps digits as they are written", () => {
  const read = parseSearchWith(readExactly);
  expect(read("?value=1.10&q=12345678901234567890&place=1e5&nr=007")).toEqual({ value: "1.10", q: "12345678901234567890", place: "1e5", nr: "007" });
  expect(read('?from=1780000000000&t=12.5&meta=["a=b"]&all=true')).toEqual({ from: 1_780_000_000_000, t: 12.5, meta: ["a=b"], all: true });
});

it("reads what it has written", () => {
  const search = { value: "1.10", q: "12", text: "a b", from: 5, meta: ["1.10", "x=1"] };
  expect(parseSearchWith(readExactly)(stringifySearchWith(JSON.stringify, readExactly)(search))).toEqual(search);
  expect(parseSearchWith(readExactly)('?value="1.10"')).toEqual({ value: "1.10" });
});
