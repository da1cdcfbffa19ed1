import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "../../api/client";
import { Page } from "./account";

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.restoreAllMocks();
});

function show(): HTMLInputElement {
  queryClient.setQueryData(["session"], { signed_in: true, setup_needed: false, person: { id: "p", name: "Ann", email: "ann@example.com", has_password: true } });
  render(<QueryClientProvider client={queryClient}><MantineProvider><Page /></MantineProvider></QueryClientProvider>);
  return screen.getByRole<HTMLInputElement>("textbox", { name: /^Name/ });
}

describe("one's own name", () => {
  it("takes as many characters as the service does", () => {
    expect(show().maxLength).toBe(100);
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
