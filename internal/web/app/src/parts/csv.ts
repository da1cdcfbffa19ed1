/** Cell is one value of a table as it is taken along. */
export type Cell = string | number | boolean | null | undefined;

// Where a spreadsheet would see a formula begin. One that parts cells at semicolons or tabs, as many do by their language, minds no quotes in the middle of a line: there
// each of these and each break begins a cell. Numbers with a sign, as those of telephones, are no formulas.
const formula = /^(?=[\t\r])|(^|[;\t\r\n]"*)(?=[=+\-@＝＋－＠])/g;
const signed = /^[+-][\d\s().-]*$/;

/** cellOf writes a value. Words come from callers and clients: what a spreadsheet would run stands behind an apostrophe. */
function cellOf(value: Cell): string {
  if (value == null) return "";
  const text = typeof value === "string" && !signed.test(value) ? value.replace(formula, "$1'") : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** csvOf writes rows as comma-separated values (RFC 4180), with the mark by which spreadsheets know UTF-8. */
export function csvOf(rows: Cell[][]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("")}`;
}

/** utc writes a time (ms since 1970) as spreadsheets and programs read it. */
export function utc(ms: number | null | undefined): string {
  return ms == null ? "" : new Date(ms).toISOString();
}
