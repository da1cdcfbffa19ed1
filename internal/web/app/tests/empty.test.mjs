// Every page in an empty workspace.
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { pagesOf } from "./pages.mjs";
import { quit, settled, violations, walker } from "./service.mjs";

after(quit);

const go = walker({ as: "stranger" });

describe("every page of an empty workspace says what there will be", () => {
  for (const place of pagesOf({}).filter(({ path, empty }) => empty && !path.includes("undefined"))) {
    it(place.path, async () => {
      const { page, done } = await go(place.path);
      await settled(page);
      assert.match(await page.textContent("body"), place.empty);
      assert.equal(await page.getByRole("alert").count(), 0);
      assert.deepEqual(await violations(page), []);
      done();
    });
  }
});
