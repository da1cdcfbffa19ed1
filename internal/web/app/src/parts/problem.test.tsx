import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { fieldsOf, problemOf } from "../api/problem";
import { ProblemBox } from "./problem";

afterEach(cleanup);

const show = (error: unknown) => render(<MantineProvider>{<ProblemBox error={error} />}</MantineProvider>);

describe("a problem", () => {
  it("names its fields, says what helps, and leads to the log", () => {
    show({ status: 422, code: "invalid_fields", detail: "some fields are not valid", hint: "look at the schema", request_id: "req_1", errors: [{ path: "input.goal", message: "is empty" }] });
    const box = screen.getByRole("alert").textContent ?? "";
    for (const words of ["Some fields are not valid", "Look at the schema", "req_1", "input.goal", "is empty"]) expect(box).toContain(words);
  });
  it("shows what came from outside as text", () => {
    show({ status: 422, code: "invalid_fields", detail: "<img src=x onerror=alert(1)>" });
    expect(screen.getByRole("alert").querySelector("img")).toBeNull();
    expect(screen.getByRole("alert").textContent).toContain("<img src=x");
  });
  it("tells a service that cannot be reached from one that failed", () => {
    expect(problemOf(new TypeError("Failed to fetch")).code).toBe("unreachable");
    expect(problemOf(new Error("boom")).title).toBe("boom");
  });
  it("gives the first message of each field", () => {
    expect(fieldsOf({ status: 422, code: "x", errors: [{ path: "body.name", message: "one" }, { path: "body.name", message: "two" }, { path: "query.from", message: "three" }] })).toEqual({ name: "one", "query.from": "three" });
  });
});
