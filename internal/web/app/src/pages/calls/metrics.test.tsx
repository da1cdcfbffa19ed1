import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Metrics } from "./metrics";
import type { Detail } from "./types";

it("marks a line on which many are dissatisfied, and no other", () => {
  const shown = (mos: number) => (
    <MantineProvider>
      <Metrics call={{ metrics: { mos } } as unknown as Detail} />
    </MantineProvider>
  );
  const { rerender } = render(shown(3.4));
  expect(screen.getByText(/too low/).textContent).toMatch(/^3\.4/);
  rerender(shown(3.5));
  expect(screen.queryByText(/too low/)).toBeNull();
});
