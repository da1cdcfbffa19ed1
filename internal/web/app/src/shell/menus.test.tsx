import { Button, MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { WorkspaceMenu } from "./menus";

const switchTo = vi.hoisted(() => vi.fn());
const navigate = vi.hoisted(() => vi.fn());

vi.mock("./session", () => ({
  useSession: () => ({ workspace: { id: "ws_1", name: "first" }, workspaces: [{ id: "ws_1", name: "first" }, { id: "ws_2", name: "second" }] }),
  switchTo, signOut: vi.fn(),
}));
vi.mock("@tanstack/react-router", () => ({ useNavigate: () => navigate, Link: () => null }));

const menu = () => render(
  <MantineProvider env="test">
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceMenu target={<Button>Workspace</Button>} />
    </QueryClientProvider>
  </MantineProvider>,
);

it("closes when somebody has gone to another workspace, and stays to say why not", async () => {
  switchTo.mockRejectedValueOnce(new Error("no"));
  menu();
  fireEvent.click(screen.getByRole("menuitem", { name: "second" }));
  await screen.findByText("You are still in the same workspace.", { exact: false });
  expect(navigate).not.toHaveBeenCalled();
  switchTo.mockResolvedValueOnce(undefined);
  fireEvent.click(screen.getByRole("menuitem", { name: "second" }));
  await waitFor(() => expect(screen.queryByRole("menuitem")).toBeNull());
  expect(navigate).toHaveBeenCalledWith({ to: "/" });
});
