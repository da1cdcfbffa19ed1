import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { queryClient } from "../../api/client";
import { Routed } from "../../parts/routed";
import { Page } from "./account";

const session = (name: string) => queryClient.setQueryData(["session"], { signed_in: true, setup_needed: false, person: { id: "p", name, email: "ann@example.com", has_password: true } });

function show(): HTMLInputElement {
  session("Ann");
  render(<Routed><Page /></Routed>);
  return screen.getByRole<HTMLInputElement>("textbox", { name: /^Name/ });
}

describe("one's own name", () => {
  it("takes as many characters as the service does", () => {
    expect(show().maxLength).toBe(100);
  });
  it("is what another tab has made of it, until somebody writes another one", async () => {
    const field = show();
    session("Anna");
    await waitFor(() => expect(field.value).toBe("Anna"));
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
    fireEvent.change(field, { target: { value: "Anne" } });
    await act(async () => void session("Hannah"));
    expect(field.value).toBe("Anne");
  });
  it("keeps what is written while another name is being saved", async () => {
    let answer: (() => void) | undefined;
    vi.stubGlobal("fetch", (_: string, init?: RequestInit) => (init?.method === "PATCH"
      ? new Promise((done) => (answer = () => done(new Response(null, { status: 204 }))))
      : Promise.resolve(new Response(JSON.stringify({ signed_in: true, setup_needed: false, person: { id: "p", name: "Anne", email: "ann@example.com", has_password: true } }), { headers: { "content-type": "application/json" } }))));
    const field = show();
    fireEvent.change(field, { target: { value: "Anne" } });
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(answer).toBeDefined());
    fireEvent.change(field, { target: { value: "Anne Lee" } });
    await act(async () => answer?.());
    await screen.findByText("Saved.");
    expect(field.value).toBe("Anne Lee");
  });
  it("is told beside its field when the service does not take it", async () => {
    const refused = { status: 422, code: "invalid_fields", detail: "some fields are not valid", errors: [{ path: "name", message: "must be plain text in one line" }] };
    vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(JSON.stringify(refused), { status: 422, headers: { "content-type": "application/problem+json" } }));
    const field = show();
    fireEvent.change(field, { target: { value: "Ann\u0007" } });
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
  });
});
