/** Cell is one value of an exported table. */
export type Cell = string | number | boolean | null | undefined;

// Where a spreadsheet would see a formula begin. In many languages spreadsheets separate cells by semicolons or tabs, and then they ignore quotes in the middle of a
// line: after each of those, and after each line break, a formula could begin. Signed numbers, such as phone numbers, are no formulas.
const formula = /^(?=[\t\r])|(^|[;\t\r\n]"*)(?=[=+\-@＝＋－＠])/g;
const signed = /^[+-][\d\s().-]*$/;

/** cellOf writes a value. The words come from callers and clients, so an apostrophe is put before whatever a spreadsheet would run. */
function cellOf(value: Cell): string {
  if (value == null) return "";
  const text = typeof value === "string" && !signed.test(value) ? value.replace(formula, "$1'") : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** csvOf writes rows as comma-separated values (RFC 4180), with the byte order mark by which spreadsheets recognise UTF-8. */
export function csvOf(rows: Cell[][]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("")}`;
}

/** utc writes a time (ms since 1970) as spreadsheets and programs read it. */
export function utc(ms: number | null | undefined): string {
  return ms == null ? "" : new Date(ms).toISOString();
}
