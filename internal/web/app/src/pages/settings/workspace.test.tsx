import { render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { queryClient } from "../../api/client";
import { Routed } from "../../parts/routed";
import { Page } from "./workspace";

it("has the name that somebody else has given the workspace meanwhile, and none to save", async () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const session = (name: string) => queryClient.setQueryData(["session"], { signed_in: true, setup_needed: false, role: "admin", workspace: { id: "ws", name } });
  session("Clinic");
  render(<Routed><Page /></Routed>);
  session("Hospital");
  const [field] = screen.getAllByRole<HTMLInputElement>("textbox", { name: /^Name/ });
  await waitFor(() => expect(field?.value).toBe("Hospital"));
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Rename" }).disabled).toBe(true);
});
