import { expect, it } from "vitest";
import { spanText, ticksText, valueText } from "./metrics";

it("writes times of one size alike, so that a column can be read down", () => {
  expect([0.9, 1.5, 12.34, 140].map((value) => valueText(value, "s"))).toEqual(["0.90 s", "1.50 s", "12.3 s", "140 s"]);
  expect(valueText(null, "s")).toBe("–");
  expect([0, 0.004, -0.02, 0.25].map((value) => valueText(value, "share"))).toEqual(["0 %", "0.4 %", "-2.0 %", "25 %"]);
});

it("names the unit of a band once", () => {
  expect(spanText(0.625, 1.32, "s")).toBe("0.63 to 1.32 s");
  expect(spanText(0.017, 0.14, "share")).toBe("1.7 to 14 %");
  expect(spanText(-0.007, 0.037, "share")).toBe("0 to 3.7 %");
  expect(spanText(0.05, 0.2, "usd")).toBe("$0.050 to $0.200");
  expect(spanText(-0.2, 0.1, "")).toBe("-0.20 to 0.10");
});

it("tells small figures from nothing", () => {
  expect([0.0004, -0.0031, 0].map((value) => valueText(value, ""))).toEqual(["0.0004", "-0.003", "0.00"]);
  expect(valueText(0.00021, "usd")).toBe("$0.0002");
  expect(valueText(0.0002, "share")).toBe("0.02 %");
});

it("writes the marks of an axis with as many decimals as their step needs", () => {
  expect(ticksText([0, 0.001, 0.002, 0.003], "")).toEqual(["0.000", "0.001", "0.002", "0.003"]);
  expect(ticksText([0, 0.25, 0.5], "s")).toEqual(["0.00 s", "0.25 s", "0.50 s"]);
  expect(ticksText([-0.5, 0, 0.5, 1], "")).toEqual(["-0.5", "0.0", "0.5", "1.0"]);
  expect(ticksText([0, 0.0005, 0.001], "share")).toEqual(["0.00 %", "0.05 %", "0.10 %"]);
  expect(ticksText([0, 0.5, 1], "share")).toEqual(["0 %", "50 %", "100 %"]);
  expect(ticksText([0, 0.00002, 0.00004], "usd")).toEqual(["$0.00000", "$0.00002", "$0.00004"]);
  expect(ticksText([0, 10, 20], "s")).toEqual(["0 s", "10 s", "20 s"]);
  expect(ticksText([0.7], "s")).toEqual(["0.70 s"]);
});

it("marks no half calls", () => {
  expect(ticksText([0, 0.5, 1], "calls")).toEqual(["0", "", "1"]);
});
