// Presses every button of a page, as somebody who tries everything would.
import { calm } from "./service.mjs";

/**
 * pressAll presses each button of a page once, and each entry of the menus that open; of buttons whose names differ only in a number it presses the first.
 * before is what earlier calls have pressed, which is not pressed again: the tabs of a page share what is above them.
 * opened is called for each dialog or menu that opens, with the name of its button, before Escape closes it.
 */
export async function pressAll(page, { leave = /^(Sign out|Play|Pause|Copy|Download|Load more)/, opened, before = new Set() } = {}) {
  const address = page.url();
  const done = new Set();
  const found = []; // with their places
  for (;;) {
    const next = (await page.evaluate(buttonsOf)).find(({ name, place }) => !done.has(name) && !before.has(place + name) && !leave.test(name));
    if (next === undefined) break;
    const { name, place } = next;
    done.add(name);
    found.push(place + name);
    const open = await page.evaluate(press, name);
    await calm(page);
    const came = await page.evaluate(cameOf, open);
    if (came !== "") {
      await opened?.(name, came);
      if (came === "menu" && !opened) await pressEntries(page);
      await page.keyboard.press("Escape");
      await page.waitForFunction(() => document.querySelector("[role=dialog], [role=menu]") === null, null, { timeout: 3000 }).catch(() => undefined);
    }
    if (page.url() !== address) {
      await page.evaluate((path) => { globalThis.history.pushState(null, "", path); globalThis.dispatchEvent(new PopStateEvent("popstate")); }, address);
      await calm(page);
    }
  }
  for (const each of found) before.add(each);
  return [...done];
}

/** pressEntries presses the entries of a menu. */
async function pressEntries(page) {
  await page.evaluate(async () => {
    for (const entry of document.querySelectorAll("[role=menu] button[role=menuitem]:not([disabled])")) {
      if (/^(Sign out|Download)/.test(entry.textContent)) continue;
      entry.click();
      await new Promise((passed) => setTimeout(passed, 60));
    }
  });
}

/**
 * buttonsOf runs in the page: it returns the names of the buttons that can be pressed, without numbers, and where they are: on the page as a whole, or in what only
 * this address shows, a tab or a dialog.
 */
function buttonsOf() {
  const frame = document.querySelector("[role=dialog]") ?? document.querySelector("main") ?? document.body;
  const title = `${location.pathname} ${document.querySelector("h1")?.textContent} `;
  const placeOf = (button) => title + (button.closest("[role=tabpanel], [role=dialog]") ? `${location.search} ` : "");
  const nameOf = (button) => (button.getAttribute("aria-label") ?? button.textContent).replace(/[\d.,:]+|call_\w+/g, "#");
  const buttons = [...frame.querySelectorAll("button:not([disabled]):not([data-disabled]):not([role=option])")];
  return buttons.filter((button) => button.offsetParent !== null).map((button) => ({ name: nameOf(button), place: placeOf(button) }));
}

/** press runs in the page: it presses the first button of that name as the keyboard does, and returns how many dialogs and menus there were before. */
function press(name) {
  const frame = document.querySelector("[role=dialog]") ?? document.querySelector("main") ?? document.body;
  const nameOf = (button) => (button.getAttribute("aria-label") ?? button.textContent).replace(/[\d.,:]+|call_\w+/g, "#");
  const button = [...frame.querySelectorAll("button:not([disabled])")].find((each) => each.offsetParent !== null && nameOf(each) === name);
  const before = document.querySelectorAll("[role=dialog], [role=menu]").length;
  if (!button) return before;
  globalThis.pressed = button;
  button.focus();
  button.click();
  return before;
}

/** cameOf runs in the page: it returns the role of the dialog or menu that was not there before. */
function cameOf(before) {
  const shown = document.querySelectorAll("[role=dialog], [role=menu]");
  return shown.length > before ? shown[shown.length - 1].getAttribute("role") : "";
}
