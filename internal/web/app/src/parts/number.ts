/** notNumber says that a text in a field for a number is none; undefined for a number, and for nothing at all. */
export function notNumber(text: string): string | undefined {
  return Number.isFinite(Number(text)) ? undefined : "This is not a number";
}
