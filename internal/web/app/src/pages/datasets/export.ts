import type { Schemas } from "../../api/client";
import { save } from "../../parts/save";
import { allItems } from "./changes";

/** downloadDataset offers the items of a dataset as a file that can be imported again. */
export async function downloadDataset(dataset: Schemas["Dataset"], format: "json" | "jsonl"): Promise<void> {
  const items = await allItems(dataset.id, dataset.version);
  const text = format === "jsonl" ? items.map((item) => `${JSON.stringify(item)}\n`).join("") : JSON.stringify({ name: dataset.name, description: dataset.description, items }, null, 2);
  save(`${dataset.name.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80) || "dataset"}-v${dataset.version}.${format}`, text, "application/json");
}
