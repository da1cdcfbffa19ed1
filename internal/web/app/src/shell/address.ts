/**
 * readExactly reads a value of an address. Only what JavaScript would write in the same way becomes a number, anything else stays text: version 1.10 is not 1.1,
 * and a number of twenty digits would lose the last of them.
 */
export function readExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value === "number" && String(value) !== text) throw new SyntaxError("a text of digits");
  return value;
}
