import { expect, it } from "vitest";
import { lone, pooled } from "./pooled";

const hour = (n: number, count: number) => ({ n, count, value: n < 10 ? null : count / n, expected: 0.1, low: 0, high: 1 });

it("takes hours with few calls together until there are enough", () => {
  const line = pooled([hour(4, 0), hour(4, 0), hour(4, 3), hour(4, 3), hour(4, 3)]);
  expect(line.map(({ value }) => value)).toEqual([null, null, 3 / 12, 6 / 12, 9 / 12]);
  expect(line.every(({ low, high }) => low == null && high == null)).toBe(true);
  expect(line[0]?.expected).toBe(0.1);
  expect(line[4]).toMatchObject({ n: 12, count: 9, over: 3 });
});

it("looks back a day at most", () => {
  const line = pooled([hour(9, 9), ...Array.from({ length: 30 }, () => hour(0, 0)), hour(1, 0)]);
  expect(line[30]?.value).toBeNull();
  expect(line.at(-1)?.value).toBeNull();
});

it("leaves a line as it is that has its own values", () => {
  const busy = [hour(40, 4), hour(3, 0), hour(50, 5)];
  expect(pooled(busy)).toBe(busy);
  const latency = [{ value: 1 }, { value: null, count: null, n: 0 }];
  expect(pooled(latency)).toBe(latency);
});

it("finds the values that no line leads to", () => {
  const values = (list: (number | null)[]) => list.map((value) => ({ value }));
  expect(lone(values([1, null, 2, 3, null, 4]))).toEqual([0, 5]);
  expect(lone(values([1]))).toEqual([0]);
  expect(lone(values([1, 2]))).toEqual([]);
});
