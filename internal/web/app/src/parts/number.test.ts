import { expect, it } from "vitest";
import { notNumber, notWhole } from "./number";

it("tells a text that is no number from one, and from nothing", () => {
  for (const text of ["-", "3-", "1e", "0,5", ".", "five", "1 000"]) expect(notNumber(text), text).toBe("This is not a number");
  for (const text of ["", " ", "0.5", "-2", "1e3", "3."]) expect(notNumber(text), text).toBeUndefined();
});

it("tells a number that is not whole from one that is", () => {
  for (const text of ["1.5", "-0.5", ".25"]) expect(notWhole(text), text).toBe("This is not a whole number");
  expect(notWhole("3-")).toBe("This is not a number");
  for (const text of ["", "3", "-2", "3.", "2.0"]) expect(notWhole(text), text).toBeUndefined();
});
