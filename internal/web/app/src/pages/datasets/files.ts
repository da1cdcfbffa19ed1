import { type Schemas, upload } from "../../api/client";

/** Format is the format of a file of items. */
export type Format = "json" | "jsonl" | "yaml" | "csv";

/** MaxFile is how many bytes a file of items may have. */
export const MaxFile = 16 << 20;

const Endings: Record<string, Format> = { json: "json", jsonl: "jsonl", ndjson: "jsonl", yaml: "yaml", yml: "yaml", csv: "csv" };

/** formatOf is the format by the ending of a file's name; undefined when that is unknown. */
export function formatOf(name: string): Format | undefined {
  return Endings[name.slice(name.lastIndexOf(".") + 1).toLowerCase()];
}

/** check has the service validate a file of items. Nothing is stored. */
export function check(file: Blob | string, format: Format, signal?: AbortSignal): Promise<Schemas["ItemsChecked"]> {
  return upload("POST", `/datasets/check?format=${format}`, file, signal);
}

/** importInto imports a file of items into a dataset. */
export function importInto(id: string, file: Blob, format: Format, mode: "append" | "replace"): Promise<Schemas["Imported"]> {
  return upload("POST", `/datasets/${encodeURIComponent(id)}/import?format=${format}&mode=${mode}`, file);
}
