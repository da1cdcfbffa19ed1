import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { NewLabels } from "./labels";

const shown = (fields: Record<string, string>) =>
  render(
    <MantineProvider env="test">
      <NewLabels value={["ok", "BAD"]} onChange={() => undefined} fields={fields} />
    </MantineProvider>,
  );

it("tells what is wrong with any of the labels", () => {
  shown({ "labels[1]": "must be small letters" });
  expect(screen.getByText("must be small letters")).toBeDefined();
});

it("leaves what is wrong with other fields to them", () => {
  shown({ slug: "is taken", labelsX: "no field of this" });
  expect(screen.queryByText(/is taken|no field/)).toBeNull();
});
