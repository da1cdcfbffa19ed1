import { type Schemas, upload } from "../../api/client";

/** Format is the form of a file of items. */
export type Format = "json" | "jsonl" | "yaml" | "csv";

/** MaxFile is how many bytes a file of items may have. */
export const MaxFile = 16 << 20;

const Endings: Record<string, Format> = { json: "json", jsonl: "jsonl", ndjson: "jsonl", yaml: "yaml", yml: "yaml", csv: "csv" };

/** formatOf tells a file's form by its name; undefined when the name does not say. */
export function formatOf(name: string): Format | undefined {
  return Endings[name.slice(name.lastIndexOf(".") + 1).toLowerCase()];
}

/** check tells what is wrong with a file of items, and stores nothing. */
export function check(file: Blob | string, format: Format, signal?: AbortSignal): Promise<Schemas["ItemsChecked"]> {
  return upload("POST", `/datasets/check?format=${format}`, file, signal);
}

/** importInto puts the items of a file into a dataset. */
export function importInto(id: string, file: Blob, format: Format, mode: "append" | "replace"): Promise<Schemas["Imported"]> {
  return upload("POST", `/datasets/${encodeURIComponent(id)}/import?format=${format}&mode=${mode}`, file);
}
