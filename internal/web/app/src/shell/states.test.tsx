import { MantineProvider } from "@mantine/core";
import { createMemoryHistory, createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from "@tanstack/react-router";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { RouteProblem } from "./states";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** open shows what the app has at an address: a page that cannot be drawn, or one of a service that does not answer. */
function open(path: string) {
  const root = createRootRoute({ component: Outlet });
  const faulty = createRoute({ getParentRoute: () => root, path: "/faulty", component: () => (undefined as unknown as () => null)() });
  const gone = createRoute({
    getParentRoute: () => root, path: "/gone",
    beforeLoad: () => {
      throw { status: 0, code: "unreachable", title: "The service does not answer" };
    },
  });
  const router = createRouter({
    routeTree: root.addChildren([faulty, gone]), history: createMemoryHistory({ initialEntries: [path] }),
    defaultErrorComponent: RouteProblem,
  });
  render(<MantineProvider><RouterProvider router={router as never} /></MantineProvider>);
}

it("says of a page that cannot be drawn that the fault is the app's, not that nobody answers", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(console, "warn").mockReturnValue();
  open("/faulty");
  const told = (await screen.findByRole("alert")).textContent;
  expect(told).toContain("This page cannot be shown");
  expect(told).not.toMatch(/does not answer|by itself/);
});

it("says of a service that does not answer that it is tried again", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(console, "warn").mockReturnValue();
  open("/gone");
  expect((await screen.findByRole("alert")).textContent).toMatch(/The service does not answer.*by itself/);
});
