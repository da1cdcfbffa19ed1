import { observeWindowOffset, type Virtualizer, windowScroll } from "@tanstack/react-virtual";

type OfWindow = Virtualizer<Window, Element>;

/**
 * yieldingScroll are options of a virtualizer that keep it from scrolling the page back under the reader. A virtualizer corrects the scroll position by its own
 * notion of it, which it updates only with the next frame: rows that are measured or arrive in between would jump to where the reader has just left. Such a
 * correction is dropped; the true position follows a moment later.
 */
export function yieldingScroll() {
  let known: number | undefined;
  return {
    observeElementOffset: (instance: OfWindow, tell: (offset: number, isScrolling: boolean) => void) =>
      observeWindowOffset(instance, (offset, isScrolling) => {
        known = offset;
        tell(offset, isScrolling);
      }),
    scrollToFn: (offset: number, options: { adjustments?: number | undefined; behavior?: ScrollBehavior | undefined }, instance: OfWindow) => {
      const page = instance.scrollElement;
      if (!page || (known !== undefined && Math.abs(page.scrollY - known) > 1)) return;
      windowScroll(offset, options, instance);
      known = page.scrollY;
    },
  };
}
