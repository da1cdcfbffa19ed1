import type { AnyRouter, ParsedLocation } from "@tanstack/react-router";

/** entryOf identifies an entry of the browser's history: the same address may have several. */
const entryOf = (location: ParsedLocation) => location.state.__TSR_key ?? location.href;

/**
 * returning restores the focus when somebody goes back in the browser's history: to the link that they had followed from that page. The page is drawn anew by then,
 * and without this a keyboard user would start at its top after each row that they look at. A row that loads late gets the focus when it appears, unless something
 * else has it by then. The returned function ends this.
 */
export function returning(router: AnyRouter): () => void {
  const followed = new Map<string, string>();
  let watch: MutationObserver | undefined;
  const forget = router.subscribe("onBeforeNavigate", ({ fromLocation }) => {
    watch?.disconnect();
    const href = document.activeElement?.closest("main a[href]")?.getAttribute("href");
    if (!fromLocation) return;
    if (href) followed.set(entryOf(fromLocation), href);
    else followed.delete(entryOf(fromLocation));
  });
  const stop = router.subscribe("onRendered", ({ toLocation }) => {
    const href = followed.get(entryOf(toLocation));
    if (href === undefined || lead(href)) return;
    watch = new MutationObserver(() => lead(href) && watch?.disconnect());
    watch.observe(document.body, { childList: true, subtree: true });
  });
  return () => {
    forget();
    stop();
    watch?.disconnect();
  };
}

/** lead focuses the link to an address, if it is there and nothing else has the focus. It returns false while the link may still appear. */
function lead(href: string): boolean {
  if (document.activeElement !== document.body) return true;
  const link = document.querySelector<HTMLElement>(`main a[href="${CSS.escape(href)}"]`);
  link?.focus();
  return link !== null;
}
