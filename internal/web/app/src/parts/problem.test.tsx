import { MantineProvider } from "@mantine/core";
import { QueryObserver } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { queryClient } from "../api/client";
import { fieldsOf, problemOf } from "../api/problem";
import { ProblemBox } from "./problem";

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
  it("is tried again by itself where it is a question of the page, and not where somebody has sent something", async () => {
    const gone = new TypeError("Failed to fetch");
    const ask = new QueryObserver<string>(queryClient, { queryKey: ["gone"], queryFn: () => Promise.reject(gone), retry: false });
    const unsubscribe = ask.subscribe(() => undefined);
    await waitFor(() => expect(ask.getCurrentResult().error).toBe(gone));
    show(gone);
    expect(screen.getByRole("alert").textContent).toContain("tries again by itself");
    cleanup();
    show(new TypeError("Failed to fetch"));
    expect(screen.getByRole("alert").textContent).toContain("The service does not answer");
    expect(screen.getByRole("alert").textContent).not.toContain("by itself");
    unsubscribe();
  });
  it("can be asked again where it is a question of the page that may be answered yet", async () => {
    const busy = { status: 503, code: "unavailable", detail: "busy" };
    const answers = [() => Promise.reject(busy), () => Promise.resolve("here")];
    const ask = new QueryObserver<string>(queryClient, { queryKey: ["ask"], queryFn: () => (answers.shift() ?? (() => Promise.resolve("here")))(), retry: false });
    const unsubscribe = ask.subscribe(() => undefined);
    await waitFor(() => expect(ask.getCurrentResult().error).toBe(busy));
    show({ ...busy });
    expect(screen.queryByRole("button")).toBeNull();
    cleanup();
    show(busy);
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(ask.getCurrentResult().data).toBe("here"));
    unsubscribe();
  });
  it("says in words that a part of the app is missing", () => {
    for (const words of ["Unable to preload CSS for /assets/file.css", "Failed to fetch dynamically imported module: x"]) {
      expect(problemOf(new TypeError(words)).title).toBe("This page could not be loaded");
    }
  });
  it("gives the first message of each field", () => {
    expect(fieldsOf({ status: 422, code: "x", errors: [{ path: "body.name", message: "one" }, { path: "body.name", message: "two" }, { path: "query.from", message: "three" }] })).toEqual({ name: "one", "query.from": "three" });
  });
});
