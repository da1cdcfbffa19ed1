import { MantineProvider, TextInput } from "@mantine/core";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { fieldsOf } from "../api/problem";
import { DialogForm } from "./dialogform";

const [mutate, close] = [vi.fn(), vi.fn()];

function show(error: unknown) {
  render(
    <MantineProvider env="test">
      <DialogForm title="New thing" close={close} doing={{ mutate, isPending: false, error }} fields={fieldsOf(error)} verb="Create">
        <TextInput label="Name" error={fieldsOf(error)["name"]} />
      </DialogForm>
    </MantineProvider>,
  );
}

it("sends what is written, and closes without sending", () => {
  show(null);
  expect(screen.queryByRole("alert")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect([close.mock.calls.length, mutate.mock.calls.length]).toEqual([1, 0]);
  fireEvent.click(screen.getByRole("button", { name: "Create" }));
  expect([close.mock.calls.length, mutate.mock.calls.length]).toEqual([1, 1]);
});

it("tells a problem once: at its field, or in a box when it is of no field", () => {
  show({ status: 422, code: "invalid_fields", detail: "some fields are not valid", errors: [{ path: "body.name", message: "is empty" }] });
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByText("is empty")).toBeTruthy();
  cleanup();
  show({ status: 409, code: "conflict", detail: "there is one already" });
  expect(screen.getByRole("alert").textContent).toContain("There is one already");
});
