import { describe, expect, it } from "vitest";
import { interval, measure, shift } from "./units";

describe("figures in units", () => {
  it("follow the unit of the interface", () => {
    expect([measure(0.5588, "s"), measure(45, "ms"), measure(0.912, "ratio"), measure(0.0042, "ratio"), measure(3, "count"), measure(4.381, "MOS"), measure(null, "s")]).toEqual([
      "559 ms", "45 ms", "91 %", "0.4 %", "3", "4.38 MOS", "–",
    ]);
  });
  it("show differences with a sign", () => {
    expect([shift(0.0004, "ratio"), shift(-0.003, "ratio")]).toEqual(["+0.04 pp", "−0.3 pp"]);
    expect([shift(0.12, "s"), shift(-0.25, "ratio"), shift(0, "count"), shift(undefined, "s")]).toEqual(["+120 ms", "−25 pp", "±0", "–"]);
  });
  it("tell of an interval the ends that there are", () => {
    expect([interval({ low: 0.5, high: 0.7 }, "s"), interval({ low: 0.5, high: null }, "s"), interval({ low: null, high: 0.7 }, "s"), interval({ low: null, high: null }, "s")]).toEqual([
      "95 %: 500 ms to 700 ms", "95 %: 500 ms and more", "95 %: up to 700 ms", undefined,
    ]);
  });
});
