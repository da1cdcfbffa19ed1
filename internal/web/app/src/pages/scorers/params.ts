import type { Schemas } from "../../api/client";

/** Params are a scorer's own settings. */
type Params = Record<string, unknown>;

/** paramsOf reads the settings of a scorer: empty when they are no object. */
function paramsOf(value: unknown): Params {
  return areParams(value) ? value : {};
}

/** areParams tells whether a value can be the settings of a scorer. */
export function areParams(value: unknown): value is Params {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** inWords writes settings in a line: phrase “hello”, max 3000. */
export function inWords(value: unknown): string {
  return Object.entries(paramsOf(value)).map(([name, each]) => `${name} ${typeof each === "string" ? `“${each}”` : Array.isArray(each) ? each.join("; ") : JSON.stringify(each)}`).join(", ");
}

/** Draft is a scorer that is being written. */
export interface Draft {
  kind: string;
  name: string;
  optional: boolean;
  params: Params;
  /** unread are the settings whose text cannot be read as JSON; "" stands for all of them in one text. For these, params still has the old value, so nothing may be saved. */
  unread?: string[];
}

/** readable is the draft after one setting was edited: with its new value, or, when read is undefined, marked as unread. The name "" stands for all settings in one object. */
export function readable(draft: Draft, name: string, read: { value: unknown } | undefined): Draft {
  const unread = draft.unread?.filter((other) => other !== name) ?? [];
  if (!read || (name === "" && !areParams(read.value))) return { ...draft, unread: [...unread, name] };
  return { ...draft, unread, params: name === "" ? paramsOf(read.value) : { ...draft.params, [name]: read.value } };
}

/** isUnread tells whether a draft has a text that cannot be read, and so cannot be saved. */
export function isUnread({ unread = [] }: Draft): boolean {
  return unread.length > 0;
}

export function draftOf(scorer: Schemas["Scorer"]): Draft {
  return { kind: scorer.kind, name: scorer.name === scorer.slug ? "" : scorer.name, optional: scorer.optional, params: paramsOf(scorer.params) };
}

/** sent leaves out what is empty, so that the defaults of the kind apply. */
export function sent(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0)));
}

/** errorOf is what is wrong with a setting or anything in it. */
export function errorOf(fields: Record<string, string>, name: string): string | undefined {
  const place = `params.${name}`;
  const found = Object.entries(fields).filter(([path]) => path === place || path.startsWith(`${place}[`) || path.startsWith(`${place}.`));
  return found.length > 0 ? found.map(([path, message]) => (path === place ? message : `${path.slice(place.length)} ${message}`)).join("; ") : undefined;
}
