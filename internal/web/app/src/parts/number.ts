/** notNumber says that a text in a field for a number is none; undefined for a number, and for nothing at all. */
export function notNumber(text: string): string | undefined {
  return Number.isFinite(Number(text)) ? undefined : "This is not a number";
}

/** notWhole says the same of a field for a whole number. What is none stays in the field as it was typed: one that let no point in would make 15 of 1.5. */
export function notWhole(text: string): string | undefined {
  return notNumber(text) ?? (Number.isInteger(Number(text)) ? undefined : "This is not a whole number");
}
