// Takes the pictures of docs/images anew from what the browser tests look at: node tests/run.mjs pictures.mjs
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, it } from "node:test";
import { fileURLToPath } from "node:url";
import { demo, open, quit, request, settled } from "./service.mjs";

after(quit);

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../../../docs/images");

/** take saves a picture of a page once it is ready. */
async function take(name, path, { scheme, first } = {}) {
  const { page, close } = await open(path, { scheme });
  await settled(page);
  await first?.(page);
  await settled(page);
  await page.waitForTimeout(700); // canvases are drawn a little later
  await writeFile(join(folder, `${name}.png`), await page.screenshot());
  await close();
}

it("takes the pictures", { timeout: 300_000 }, async () => {
  const run = await demo();
  const failed = (await request("GET", `/calls?voice_experiment_id=${run.id}&verdict=failed&limit=1`)).data[0];
  const { data: items } = await request("GET", `/datasets/${run.dataset_id}/items`);
  const support = (await request("GET", "/agents?limit=100")).data.find((agent) => agent.name === "support");
  // Calls that arrive all at once are recounted a little later.
  await take("overview", "/", { first: (page) => page.getByText("not healthy").first().waitFor({ timeout: 240_000 }) });
  await take("trends", `/monitor/trends?agent=${support.id}`, { scheme: "dark" });
  await take("call", `/calls/${failed.id}`, { first: (page) => page.getByRole("button", { name: /^Go to \d/ }).first().click() });
  await take("experiment", `/experiments/${run.id}`);
  await take("dataset", `/datasets/${run.dataset_id}?item=${items[0].id}`);
});
