import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Time } from "./time";

describe("Time", () => {
  it("tells the exact time where somebody points", () => {
    render(<Time at={Date.UTC(2026, 2, 4, 5, 6, 7)} exact />);
    const shown = screen.getByRole("time");
    expect(shown.getAttribute("datetime")).toBe("2026-03-04T05:06:07.000Z");
    expect(shown.title).toBe("");
    fireEvent.pointerEnter(shown);
    expect(shown.title).toContain("2026-03-04T05:06:07.000Z");
  });

  it("tells the zone in words where that is asked for", () => {
    const { container } = render(<Time at={Date.UTC(2026, 2, 4, 5, 6, 7)} exact="zoned" />);
    const words = container.textContent;
    expect(words).toContain(":06:07");
    expect(words.endsWith(` ${Intl.DateTimeFormat().resolvedOptions().timeZone}`)).toBe(true);
  });

  it("says when there is none", () => {
    const { container } = render(<Time at={null} />);
    expect(container.textContent).toBe("–");
  });
});
