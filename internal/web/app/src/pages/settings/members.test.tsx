import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { queryClient } from "../../api/client";
import { Routed } from "../../parts/routed";
import { Page } from "./members";

const members = [{ id: "usr_1", name: "Ann", email: "ann@example.com", role: "member", you: false, created_at: 1, seen_at: null }];

it("says that a role was not changed when the service does not answer", async () => {
  queryClient.setQueryData(["session"], { signed_in: true, setup_needed: false, role: "owner" });
  vi.stubGlobal("fetch", async (asked: Request | string) => {
    if (typeof asked === "string") throw new TypeError("Failed to fetch"); // what is sent
    return new Response(JSON.stringify({ data: asked.url.includes("/members") ? members : [], next_cursor: null }), { headers: { "content-type": "application/json" } });
  });
  render(<Routed><Page /></Routed>);
  fireEvent.change(await screen.findByLabelText("Role of Ann"), { target: { value: "admin" } });
  await screen.findByText("The service does not answer");
});

it("keeps the focus on a role, and shows the new one, while it is being changed", async () => {
  queryClient.setQueryData(["session"], { signed_in: true, setup_needed: false, role: "owner" });
  vi.stubGlobal("fetch", async (asked: Request | string) => {
    if (typeof asked === "string") return new Promise(() => undefined); // what is sent
    return new Response(JSON.stringify({ data: asked.url.includes("/members") ? members : [], next_cursor: null }), { headers: { "content-type": "application/json" } });
  });
  render(<Routed><Page /></Routed>);
  const role = await screen.findByLabelText<HTMLSelectElement>("Role of Ann");
  fireEvent.change(role, { target: { value: "admin" } });
  await waitFor(() => expect(role.getAttribute("aria-busy")).toBe("true"));
  expect([role.disabled, role.value]).toEqual([false, "admin"]); // a field that is disabled loses the focus
});
