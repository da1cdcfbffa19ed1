import { Button, MantineProvider } from "@mantine/core";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { theme } from "../shell/theme";

const pressed = vi.fn();
const sent = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());

const form = (loading: boolean, disabled = false) => (
  <MantineProvider theme={theme}>
    <form onSubmit={sent}>
      <Button type="submit" loading={loading} disabled={disabled} onClick={pressed}>
        Save
      </Button>
    </form>
  </MantineProvider>
);

it("keeps the focus of a button that loads, which does nothing meanwhile", () => {
  const { rerender } = render(form(false));
  const button = screen.getByRole("button");
  button.focus();
  fireEvent.click(button);
  expect([pressed.mock.calls.length, sent.mock.calls.length]).toEqual([1, 1]);
  rerender(form(true));
  expect(screen.getByRole("button")).toBe(button);
  expect(document.activeElement).toBe(button);
  expect([button.hasAttribute("disabled"), button.getAttribute("aria-disabled"), button.getAttribute("aria-busy")]).toEqual([false, "true", "true"]);
  fireEvent.click(button);
  expect([pressed.mock.calls.length, sent.mock.calls.length]).toEqual([1, 1]);
  rerender(form(false));
  expect(document.activeElement).toBe(button);
  expect(button.hasAttribute("aria-disabled")).toBe(false);
});

it("keeps the focus of a button that there is nothing to press for any more, until somebody goes on", () => {
  const { rerender } = render(form(true));
  const button = screen.getByRole("button");
  act(() => button.focus());
  const before = [pressed.mock.calls.length, sent.mock.calls.length];
  rerender(form(false, true));
  expect(document.activeElement).toBe(button);
  expect([button.hasAttribute("disabled"), button.getAttribute("aria-disabled"), button.hasAttribute("aria-busy")]).toEqual([false, "true", false]);
  fireEvent.click(button);
  expect([pressed.mock.calls.length, sent.mock.calls.length]).toEqual(before);
  act(() => button.blur());
  expect([button.hasAttribute("disabled"), button.hasAttribute("aria-disabled")]).toEqual([true, false]);
});

it("leaves a button disabled that cannot be pressed for another reason", () => {
  render(form(true, true));
  expect(screen.getByRole("button").hasAttribute("disabled")).toBe(true);
});

it("leaves a button that leads somewhere a link", () => {
  render(
    <MantineProvider theme={theme}>
      <Button component="a" href="/there">
        Go
      </Button>
    </MantineProvider>,
  );
  expect(screen.getByRole("link", { name: "Go" }).getAttribute("href")).toBe("/there");
});
