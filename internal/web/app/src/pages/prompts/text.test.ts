import { describe, expect, it } from "vitest";
import { partsOf } from "./text";

describe("the variables of a prompt", () => {
  it("are every other part", () => {
    expect(partsOf("I am {persona.name}, {{goal}} { not }\n{")).toEqual(["I am ", "{persona.name}", ", ", "{{goal}}", " ", "{ not }", "\n{"]);
  });
});
