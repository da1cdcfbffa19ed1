import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { RowLink } from "./rowlink";

const Odd = "a b/ü?#%";

async function shown() {
  const root = createRootRoute();
  const list = createRoute({ getParentRoute: () => root, path: "/", component: () => <RowLink to="/calls/$id" params={{ id: Odd }} search={{ t: 1.5, q: "a&b", none: undefined } as never}>the call</RowLink> });
  const call = createRoute({ getParentRoute: () => root, path: "/calls/$id", component: () => <p>here</p> });
  const router = createRouter({ routeTree: root.addChildren([list, call]), history: createMemoryHistory({ initialEntries: ["/"] }) });
  render(<RouterProvider router={router as never} />);
  return { router, link: await screen.findByText("the call") };
}

it("leads where the router's own links lead", async () => {
  const { router, link } = await shown();
  expect(link.getAttribute("href")).toBe(router.buildLocation({ to: "/calls/$id", params: { id: Odd }, search: { t: 1.5, q: "a&b" } } as never).href);
  fireEvent.click(link);
  expect(await screen.findByText("here")).toBeDefined();
  expect(router.state.location.search).toEqual({ t: 1.5, q: "a&b" });
});

it("leaves a click that is meant for the browser to it", async () => {
  const { router, link } = await shown();
  const away = vi.spyOn(router, "navigate");
  fireEvent.click(link, { ctrlKey: true });
  fireEvent.click(link, { button: 1 });
  expect(away).not.toHaveBeenCalled();
});
