// How figures, times and names are written everywhere.

/** Unknown is written for null and undefined. */
export const Unknown = "–";

type Maybe<T> = T | null | undefined;

/** duration writes milliseconds as "0:42", "3:05" or "1:02:03". */
export function duration(ms: Maybe<number>): string {
  if (ms == null) return Unknown;
  const seconds = Math.round(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const two = (n: number) => String(n).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** roughly writes an estimated length of time, as "40 s", "16 min" or "1 h 20 min": "16:00" would read as a time of day. */
export function roughly(ms: number): string {
  if (ms < 59_500) return `${Math.max(1, Math.round(ms / 1000))} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** short writes milliseconds as "240 ms", "1.25 s" or "5 min 49 s". */
export function short(ms: Maybe<number>): string {
  if (ms == null) return Unknown;
  if (Math.abs(ms) >= 119_950) {
    const seconds = Math.round(Math.abs(ms) / 1000);
    return `${ms < 0 ? "-" : ""}${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  return Math.abs(ms) < 999.5 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(Math.abs(ms) < 10_000 ? 2 : 1)} s`;
}

/** percent writes a share of 1, or a change of one. It has more decimals than asked for where it would otherwise be rounded to 0 % or 100 % without being that. */
export function percent(share: Maybe<number>, digits = 0): string {
  if (share == null || !Number.isFinite(share)) return Unknown;
  const text = (share * 100).toFixed(Math.max(digits, tellingDigits(share)));
  return `${Number(text) === 0 ? text.replace("-", "") : text} %`;
}

/** points writes a difference of shares in percentage points, a small one as percent does. */
export function points(share: number, digits = 0): string {
  return percent(share, digits).replace("%", "pp");
}

/** tellingDigits are the decimals that tell a percentage from 0 and from 100. It is 0 for those two themselves, and for what differs from them by rounding errors alone. */
function tellingDigits(share: number): number {
  const size = Math.abs(share);
  const rest = Math.min(size, Math.abs(1 - size)) * 100;
  return rest > 1e-6 && rest < 0.5 + 1e-9 ? Math.floor(1e-9 - Math.log10(rest * 2)) + 1 : 0;
}

// Figures are written in English everywhere, as the words are: in a locale that groups thousands by points, 1.250 ms would stand beside 1.25 s.
const English = "en";

/** count writes a whole number with commas between the thousands. */
export function count(n: Maybe<number>): string {
  return n == null ? Unknown : n.toLocaleString(English);
}

/** counted writes a whole number and what it counts: "1 call", "2 calls". */
export function counted(n: number, what: string): string {
  return `${count(n)} ${what}${n === 1 ? "" : "s"}`;
}

/** figure writes a number with at most three significant decimals. */
export function figure(n: Maybe<number>, unit = ""): string {
  if (n == null || !Number.isFinite(n)) return Unknown;
  const text = Math.abs(n) >= 999.5 ? count(Math.round(n)) : Number(n.toPrecision(3)).toString();
  return unit ? `${text} ${unit}` : text;
}

/** writer formats times. The formatter is made on first use and kept: making one takes a hundred times as long as formatting a time. */
function writer(options: Intl.DateTimeFormatOptions): (ms: number) => string {
  let made: Intl.DateTimeFormat | undefined;
  return (ms) => (made ??= new Intl.DateTimeFormat(undefined, options)).format(ms);
}

const clockShift = [30, 60].map((minutes) => minutes * 60_000); // by how much clocks are set back at the end of summer time

/**
 * zoneOf is the name of the zone, as GMT+2, for a time in the hour that clocks show twice at the end of summer time: without it two times look the same. It is
 * undefined for all other times. write must write times to the minute.
 */
export function zoneOf(ms: number, write: (ms: number) => string): string | undefined {
  const text = write(ms);
  if (!clockShift.some((by) => write(ms - by) === text || write(ms + by) === text)) return undefined;
  return new Intl.DateTimeFormat(undefined, { timeZoneName: "short" }).formatToParts(ms).find(({ type }) => type === "timeZoneName")?.value;
}

/** told writes a time so that no other one looks the same. */
function told(write: (ms: number) => string): (ms: number) => string {
  return (ms) => {
    const zone = zoneOf(ms, write);
    return zone ? `${write(ms)} ${zone}` : write(ms);
  };
}

const Minutes = { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const;
const toTheMinute = told(writer({ dateStyle: "medium", timeStyle: "short" }));
const toTheSecond = told(writer({ dateStyle: "medium", timeStyle: "medium" }));
const toTheDay = writer({ dateStyle: "medium" });
const thisYear = told(writer(Minutes));
const anotherYear = told(writer({ ...Minutes, year: "numeric" }));

/** moment writes a time (ms since 1970) in the reader's zone, to the second; of a whole minute, such as the beginning of an hour, without its seconds. */
export function moment(ms: Maybe<number>): string {
  if (ms == null) return Unknown;
  return ms % 60_000 === 0 ? toTheMinute(ms) : toTheSecond(ms);
}

/** day writes the day of a time in the reader's zone. */
export function day(ms: Maybe<number>): string {
  return ms == null ? Unknown : toTheDay(ms);
}

/** brief writes a time to the minute, with its year only when that is not the present one. */
export function brief(ms: Maybe<number>, now: number): string {
  if (ms == null) return Unknown;
  return new Date(ms).getFullYear() === new Date(now).getFullYear() ? thisYear(ms) : anotherYear(ms);
}

let zone: string | undefined;

/** zoneName is the zone in which times are written. */
export function zoneName(): string {
  return (zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone);
}

const aheadOfUs = 60; // seconds by which the clock of the service may be ahead of the browser's

/** ago writes how long ago a time was; one in the future is written out. */
export function ago(ms: Maybe<number>, now: number): string {
  if (ms == null) return Unknown;
  const seconds = Math.round((now - ms) / 1000);
  if (seconds < -aheadOfUs) return toTheMinute(ms);
  if (seconds < 45) return "just now";
  if (seconds < 59.5 * 60) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  if (seconds < 23.5 * 3600) return `${Math.round(seconds / 3600)} h ago`;
  if (seconds < 7 * 86_400) return `${Math.round(seconds / 86_400)} d ago`;
  return toTheDay(ms);
}

let letters: Intl.Segmenter | undefined;

/** beginnings are the offsets at which the letters (grapheme clusters) of a text begin; code points in a browser without Intl.Segmenter. */
function beginnings(text: string): number[] {
  if (typeof Intl.Segmenter !== "function") {
    let at = 0;
    return Array.from(text, (character) => (at += character.length) - character.length);
  }
  return Array.from((letters ??= new Intl.Segmenter()).segment(text), ({ index }) => index);
}

/** clipped shortens a text to most letters, the last of them an ellipsis. What is one letter to a reader, such as 👩‍👧, is not cut. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const ends = beginnings(text.slice(0, 40 * most));
  return ends.length > most ? `${text.slice(0, ends[most - 1])}…` : text;
}

/** plain writes an identifier of the interface as words: "not_evaluated" is "not evaluated". */
export function plain(word: Maybe<string>): string {
  return word ? word.replaceAll("_", " ") : Unknown;
}

const Expected: Record<string, string> = { say: "phrase", do_not_say: "forbidden phrase", fact_stated: "fact:", tool_called: "tool call", timing: "" };

/**
 * checkName writes the name of a check as words. What an item expects is named by its kind: "tool_called:2" is "tool call 2", "timing:turn_latency_p95_ms" is
 * "turn latency p95". Scorers that people have named keep their names.
 */
export function checkName(name: string): string {
  const cut = name.indexOf(":");
  if (cut < 0) return name === "end_reason" || name === "turn_taking" ? plain(name) : name;
  const [kind, rest] = [name.slice(0, cut), name.slice(cut + 1)];
  const word = Object.hasOwn(Expected, kind) ? Expected[kind] : undefined;
  if (word === undefined) return name;
  return word === "" ? plain(rest.replace(/_ms$/, "")) : `${word} ${rest}`;
}

/** unmasked writes words in which the service keeps no numbers ("#"), names ("*") and addresses ("@") with dots in their place. */
export function unmasked(words: string): string {
  return words.replace(/(?<=^|\s)[#*@](?=\s|$)/g, "…");
}

/** money writes an amount of a currency; amounts below 1 with up to four decimals, since a call may cost less than a cent. */
export function money(amount: Maybe<number>, currency: string): string {
  if (amount == null || !Number.isFinite(amount)) return Unknown;
  const tiny = amount !== 0 && Math.abs(amount) < 1;
  try {
    return amount.toLocaleString(English, { style: "currency", currency, ...(tiny && { maximumFractionDigits: 4 }) });
  } catch {
    return `${currency} ${amount}`; // three letters that are no currency
  }
}
