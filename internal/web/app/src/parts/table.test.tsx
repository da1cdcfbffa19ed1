import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { DataTable } from "./table";

const columns = [{ key: "n", header: "Number", cell: (n: number) => n }];

const show = (rows: number[]) => render(<MantineProvider env="test"><DataTable label="Numbers" rows={rows} rowKey={String} columns={columns} /></MantineProvider>);

it("counts its head among its rows, as those who hear it are told", () => {
  show([7, 8]);
  expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("3");
  expect(screen.getAllByRole("row").map((row) => row.getAttribute("aria-rowindex"))).toEqual(["1", "2", "3"]);
});
