import { expect, it } from "vitest";
import { csvOf } from "./csv";

it("keeps commas, quotes and breaks of lines within their cell", () => {
  expect(csvOf([["a", "b"], ['He said "no", twice', "one\ntwo"], [null, 3]])).toBe('\uFEFFa,b\r\n"He said ""no"", twice","one\ntwo"\r\n,3\r\n');
});

it("writes nothing that a spreadsheet would run which parts cells at semicolons or tabs, and quotes none that begin with no quote", () => {
  expect(csvOf([["id", 'no;=HYPERLINK("http://x";"y")', "one\n=1+1", 'a\t@b', 'say;"=1"', "a; b = c; d-e"]])).toBe(
    `\uFEFFid,"no;'=HYPERLINK(""http://x"";""y"")","one\n'=1+1",a\t'@b,"say;""'=1""",a; b = c; d-e\r\n`,
  );
});

it("writes nothing that a spreadsheet would run, and leaves numbers as they are", () => {
  expect(csvOf([['=HYPERLINK("http://x")', "@SUM(1)", "-2+3+cmd", "+15550123", "+1 (555) 01-23", -4.5]])).toBe(`\uFEFF"'=HYPERLINK(""http://x"")",'@SUM(1),'-2+3+cmd,+15550123,+1 (555) 01-23,-4.5\r\n`);
});
