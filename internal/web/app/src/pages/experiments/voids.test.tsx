import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Routed } from "../../parts/routed";
import type { Results } from "./results";
import { Voids } from "./voids";

it("groups the thousands of large numbers of calls, as all of the page does", () => {
  const ids = Array.from({ length: 2_008 }, (_, n) => `call_${n}`);
  render(<Routed><Voids results={{ voice_experiment: { id: "ve_1" }, void: [{ reason: "the disk was full", call_ids: ids }] } as unknown as Results} /></Routed>);
  screen.getByText("2,008 calls are void and do not count");
  expect(screen.getByRole("link", { name: "2,000 more" })).toBeDefined();
});
