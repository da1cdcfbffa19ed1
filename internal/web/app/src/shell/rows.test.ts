import { afterEach, expect, it } from "vitest";
import { toFirstRow } from "./rows";

afterEach(() => document.body.replaceChildren());

it("finds the first row that leads somewhere", () => {
  document.body.innerHTML = `<nav><a href="/">away</a></nav><main><button>above</button><table><thead><tr><th><button>sort</button></th></tr></thead>
    <tbody><tr aria-hidden="true"><td></td></tr><tr><td><input type="checkbox"><a href="/calls/1">one</a></td></tr><tr><td><a href="/calls/2">two</a></td></tr></tbody></table></main>`;
  expect(toFirstRow(document)).toBe(true);
  expect(document.activeElement?.textContent).toBe("one");
});

it("leaves the focus where there is no table", () => {
  document.body.innerHTML = "<main><button>only</button></main>";
  expect(toFirstRow(document)).toBe(false);
});
