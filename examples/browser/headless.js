// Opens the page in headless Chromium, joins the room that ROOM_URL and ROOM_TOKEN name, prints what the page logs and
// ends when the call is over: how the example is tested, and a way to run a browser's agent in CI.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync),
  // As root there is no sandbox; a page opened by a program has no click that allows sound.
  args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--disable-dev-shm-usage'],
});
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error));
  await page.goto(process.env.PAGE ?? 'http://127.0.0.1:8090/');
  await page.fill('[name=url]', process.env.ROOM_URL);
  await page.fill('[name=token]', process.env.ROOM_TOKEN);
  await page.click('button');
  let shown = 0;
  for (let log = ''; !/call is over|could not join/.test(log); ) {
    await page.waitForFunction((n) => document.querySelector('#log').textContent.length > n, shown, { timeout: 180_000 });
    log = await page.textContent('#log');
    process.stdout.write(log.slice(shown));
    shown = log.length;
  }
  process.exitCode = /could not join/.test(await page.textContent('#log')) ? 1 : 0;
} finally {
  await browser.close();
}
