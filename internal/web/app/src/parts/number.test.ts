import { expect, it } from "vitest";
import { notNumber } from "./number";

it("tells a text that is no number from one, and from nothing", () => {
  for (const text of ["-", "3-", "1e", "0,5", ".", "five", "1 000"]) expect(notNumber(text), text).toBe("This is not a number");
  for (const text of ["", " ", "0.5", "-2", "1e3", "3."]) expect(notNumber(text), text).toBeUndefined();
});
