import { expect, it } from "vitest";
import { shareOf, smallerOf } from "./share";

it("tells a share with its interval, and none where the counts say more", () => {
  expect(shareOf({ rate: 0.067, low: 0.047, high: 0.096 })).toBe(" (6.7 %, 95 % interval 4.7 % to 9.6 %)");
  expect(shareOf({ rate: null, low: null, high: null })).toBe("");
});

it("counts failed calls in groups that are not shown, also a single one", () => {
  expect(smallerOf(1)).toBe("1 more failed call is in a smaller group");
  expect(smallerOf(1200)).toBe("1,200 more failed calls are in smaller groups");
});
