// Every page as a viewer sees it, who may change nothing.
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { places } from "./pages.mjs";
import { pressAll } from "./press.mjs";
import { open, quit, settled, url, walker } from "./service.mjs";

after(quit);

const all = await places();

/** Forms are addresses that open something for which the role of a viewer is too low. */
const Forms = /\/experiments\/new|[?&](new|edit)=|open=(new|sync|import|calls|rename)|item=new|from_calls=|\/settings\/(keys|credentials|audit)/;

const refused = []; // the requests that would change something, and those that were refused

const prepare = (page) => {
  page.on("response", (answer) => answer.status() === 403 && refused.push(answer.url()));
  page.on("request", (sent) => sent.method() !== "GET" && refused.push(`${sent.method()} ${sent.url()}`));
};

const walk = walker({ as: "viewer", prepare });
const pressed = new Set();

async function fresh(path) {
  const { page, errors, close } = await open(path, { as: "viewer", prepare });
  return { page, done: () => close().then(() => assert.deepEqual(errors, [])) };
}

describe("to a viewer", () => {
  for (const place of all) {
    it(`${place.path} offers nothing that would be refused`, async () => {
      refused.length = 0;
      // Nothing leads a viewer there but the address.
      const { page, done } = await (place.asks ? fresh(place.path) : walk(place.path));
      await settled(page);
      assert.deepEqual(await page.evaluate((base) => [...document.querySelectorAll("a[href]")].map((link) => link.href).filter((href) => href.startsWith(base)), url()).then((links) => links.filter((link) => Forms.test(link) && !link.endsWith('#main'))), []);
      if (place.asks) assert.match(await page.textContent("main"), /requires the (member|admin) role/);
      await pressAll(page, { before: pressed });
      await settled(page);
      assert.deepEqual(refused, []);
      await done();
    });
  }
});
