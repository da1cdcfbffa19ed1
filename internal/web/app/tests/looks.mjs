// How a page looks to everybody: in both schemes, from a telephone to a wide screen, and to axe.
import assert from "node:assert/strict";
import { open, overflows, violations } from "./service.mjs";

/** looks opens a page and fails when axe finds something, when it is wider than the screen, or when it has logged an error. */
export async function looks(path) {
  const { page, errors, close } = await open(path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  for (const [colorScheme, width] of [["light", 1280], ["dark", 360], ["dark", 1800]]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await page.waitForFunction((scheme) => document.documentElement.dataset.mantineColorScheme === scheme, colorScheme);
    // The frame takes a moment to fold its navigation away.
    await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth, null, { timeout: 2000 }).catch(() => undefined);
    assert.equal(await overflows(page), 0, `${path} at ${width} px`);
    // Just after the scheme has changed the browser still tells the old colours of some texts.
    let found = await violations(page);
    for (let n = 0; n < 4 && found.length > 0; n++) {
      await page.waitForTimeout(400);
      found = await violations(page);
    }
    assert.deepEqual(found, [], `${path} at ${width} px`);
  }
  assert.deepEqual(errors, [], path);
  await close();
}
