import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { Confirm } from "./confirm";

it("tells that it failed although it was closed meanwhile", async () => {
  let fail: (why: unknown) => void = () => undefined;
  let gone = 0;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <Confirm begin ask={() => null} closed={() => gone++} title="Delete it?" verb="Delete it" act={() => new Promise((_done, reject) => { fail = reject; })}>
          It is gone for good.
        </Confirm>
      </MantineProvider>
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Delete it" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Delete it" }).getAttribute("data-loading")).toBe("true"));
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect([screen.queryByRole("dialog"), gone]).toEqual([null, 0]);
  await act(async () => fail({ status: 503, code: "unavailable", detail: "the database is away" }));
  expect((await screen.findByRole("alert")).textContent).toContain("The database is away");
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(gone).toBe(1);
});
