import { Button } from "@mantine/core";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { queryClient } from "../api/client";
import { Routed } from "../parts/routed";
import { WorkspaceMenu } from "./menus";

const json = (body: unknown, status = 200) => Promise.resolve(new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } }));

it("closes when somebody has gone to another workspace, and stays to say why not", async () => {
  const first = { id: "ws_1", name: "first" };
  const session = { signed_in: true, setup_needed: false, role: "owner", workspace: first, workspaces: [first, { id: "ws_2", name: "second" }] };
  queryClient.setQueryData(["session"], session);
  let refuse = true;
  vi.stubGlobal("fetch", (_: string, init?: RequestInit) => {
    if (init?.method !== "PATCH") return json(session);
    return refuse ? json({ status: 403, code: "forbidden", detail: "no" }, 403) : Promise.resolve(new Response(null, { status: 204 }));
  });
  render(<Routed><WorkspaceMenu target={<Button>Workspace</Button>} /></Routed>);
  fireEvent.click(screen.getByRole("menuitem", { name: "second" }));
  await screen.findByText("You are still in the same workspace.", { exact: false });
  refuse = false;
  fireEvent.click(screen.getByRole("menuitem", { name: "second" }));
  await waitFor(() => expect(screen.queryByRole("menuitem")).toBeNull());
});
