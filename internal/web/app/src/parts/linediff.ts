/** DiffLine is a line that is in both texts, only in the old one, or only in the new one. */
export interface DiffLine {
  kind: "same" | "old" | "new";
  text: string;
}

/** Most bounds the cells of the table from which the longest common subsequence is read: 16 MB. */
const Most = 4_000_000;

/** lineDiff tells which lines were removed and which were added. Where thousands of lines differ, all of them are shown as replaced, to bound time and memory. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const same = (text: string): DiffLine => ({ kind: "same", text });
  return [
    ...a.slice(0, start).map(same),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ];
}

/** middle compares what is left when the lines that both begin and end with are taken away. */
function middle(a: string[], b: string[]): DiffLine[] {
  const old = (text: string): DiffLine => ({ kind: "old", text });
  const fresh = (text: string): DiffLine => ({ kind: "new", text });
  if (a.length * b.length > Most) return [...a.map(old), ...b.map(fresh)];
  const width = b.length + 1;
  const common = new Int32Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const out: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push({ kind: "same", text: a[i] ?? "" });
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) out.push(old(a[i++] ?? ""));
    else out.push(fresh(b[j++] ?? ""));
  }
  return out;
}

/** Hunk is a stretch of lines that are shown, or a number of equal ones that are not. */
type Hunk = { lines: DiffLine[] } | { hidden: number };

/** hunksOf leaves out the lines that are far from any change. */
export function hunksOf(lines: DiffLine[], around = 3): Hunk[] {
  const shown = lines.map((_, n) => lines.slice(Math.max(0, n - around), n + around + 1).some((line) => line.kind !== "same"));
  const hunks: Hunk[] = [];
  lines.forEach((line, n) => {
    const last = hunks.at(-1);
    if (shown[n]) {
      if (last && "lines" in last) last.lines.push(line);
      else hunks.push({ lines: [line] });
    } else if (last && "hidden" in last) last.hidden++;
    else hunks.push({ hidden: 1 });
  });
  return hunks;
}
