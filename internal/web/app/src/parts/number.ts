/** notNumber is the message for a field whose text is no number; undefined for a number and for an empty field. */
export function notNumber(text: string): string | undefined {
  return Number.isFinite(Number(text)) ? undefined : "This is not a number";
}

/** notWhole is the same for whole numbers. The field accepts any text and only complains: one that kept out the point would turn 1.5 into 15. */
export function notWhole(text: string): string | undefined {
  return notNumber(text) ?? (Number.isInteger(Number(text)) ? undefined : "This is not a whole number");
}
