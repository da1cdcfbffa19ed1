import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Tips } from "./tips";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));

it("tells of what is pointed at after a while, and of what has the focus at once", () => {
  render(
    <Tips>
      <a href="/1" data-tip="why it failed">one</a>
      <a href="/2" data-tip="why it passed">two</a>
      <i>nothing</i>
    </Tips>,
  );
  const [one, two] = [screen.getByText("one"), screen.getByText("two")];
  fireEvent.pointerOver(one);
  expect(screen.queryByRole("tooltip")).toBeNull();
  wait(400);
  expect(screen.getByRole("tooltip").textContent).toBe("why it failed");
  expect(one.getAttribute("aria-describedby")).toBe(screen.getByRole("tooltip").id);
  fireEvent.pointerOver(screen.getByText("nothing"));
  expect(screen.queryByRole("tooltip")).toBeNull();
  expect(one.hasAttribute("aria-describedby")).toBe(false);
  act(() => two.focus());
  wait(1);
  expect(screen.getByRole("tooltip").textContent).toBe("why it passed");
  fireEvent.keyDown(two, { key: "Escape" });
  expect(screen.queryByRole("tooltip")).toBeNull();
});
