import { expect, it } from "vitest";
import { shareOf } from "./share";

it("tells a share with its interval, and none where the counts say more", () => {
  expect(shareOf({ rate: 0.067, low: 0.047, high: 0.096 })).toBe(" (6.7 %, 95 % interval 4.7 % to 9.6 %)");
  expect(shareOf({ rate: null, low: null, high: null })).toBe("");
});
