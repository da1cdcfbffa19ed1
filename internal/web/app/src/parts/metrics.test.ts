import { expect, it } from "vitest";
import { spanText, valueText } from "./metrics";

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
