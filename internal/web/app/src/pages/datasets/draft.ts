// An item while it is being written: as JSON of any shape, valid or not, with places in it.

/** Bag is a JSON object. */
export type Bag = Record<string, unknown>;

/** Place is the path to a value: ["input", "script", 0, "say"]. */
export type Place = (string | number)[];

export const bagOf = (value: unknown): Bag => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Bag) : {});
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : "");

/** nameOf is a place as the service writes it: input.script[0].say. */
export function nameOf(place: Place): string {
  return place.reduce<string>((path, key) => (typeof key === "number" ? `${path}[${key}]` : path ? `${path}.${key}` : key), "");
}

/** valueAt is the value at a place; undefined when there is none. */
export function valueAt(from: unknown, place: Place): unknown {
  return place.reduce<unknown>((value, key) => (typeof key === "number" ? listOf(value)[key] : bagOf(value)[key]), from);
}

/**
 * put returns a copy with another value at the place. undefined removes it, together with the objects and lists around it that would be left empty. Within a list
 * (a step, a tool call) empty objects are kept: they mean something there.
 */
export function put(into: Bag, place: Place, value: unknown): Bag {
  return bagOf(placed(into, place, value, false) ?? {});
}

function placed(into: unknown, place: Place, value: unknown, keeps: boolean): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return value;
  if (typeof key === "number") {
    const list = [...listOf(into)];
    const next = placed(list[key], rest, value, true);
    if (next === undefined) list.splice(key, 1);
    else list[key] = next;
    return list.length > 0 || keeps ? list : undefined;
  }
  const bag = { ...bagOf(into) };
  const next = placed(bag[key], rest, value, keeps);
  if (next === undefined) delete bag[key];
  else bag[key] = next;
  return Object.keys(bag).length > 0 || keeps ? bag : undefined;
}

/** whole is the item as it is sent: without its id, and always with input and output. */
export function whole(item: Bag): Bag {
  const { id: _, ...rest } = item;
  return { ...rest, input: item["input"] ?? {}, output: item["output"] ?? {} };
}

/** compact writes JSON as a person would: what is short on one line. */
export function compact(value: unknown, indent = "", width = 76): string {
  const short = JSON.stringify(value);
  if (short === undefined) return "null";
  if (typeof value !== "object" || value === null) return short;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((each) => compact(each, inner, width))
    : Object.entries(value).filter(([, each]) => each !== undefined).map(([key, each]) => `${JSON.stringify(key)}: ${compact(each, inner, width)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  const line = Array.isArray(value) ? `[${parts.join(", ")}]` : `{ ${parts.join(", ")} }`;
  if (indent.length + line.length <= width && !line.includes("\n")) return line;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}

/** moved is the list with one element at another place. */
export function moved<T>(list: T[], from: number, to: number): T[] {
  const [taken, ...none] = list.slice(from, from + 1);
  if (taken === undefined || none.length > 0 || to < 0 || to >= list.length) return list;
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, taken);
}

/** Fault is something that is wrong with the item. line is a line of its JSON, from 1. */
export interface Fault {
  place: string;
  message: string;
  line: number;
}

interface Found {
  path: string;
  message: string;
  line?: number;
  suggestion?: string;
}

/** faultsOf reads what the service found wrong in a list of this one item, whose first line is the bracket of the list. */
export function faultsOf(problems: Found[] | undefined): Fault[] {
  return (problems ?? []).map((problem) => ({
    place: problem.path.replace(/^items\[0\]\.?/, "").replace(/^(body|file)$/, ""),
    message: problem.suggestion ? `${problem.message}; did you mean “${problem.suggestion}”?` : problem.message,
    line: Math.max(1, (problem.line ?? 2) - 1),
  }));
}
