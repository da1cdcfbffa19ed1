import type { ComponentPropsWithRef, MouseEvent } from "react";

/** Root is what a button gives to the element that it is. */
type Root = ComponentPropsWithRef<"button"> & { href?: string; "data-loading"?: unknown; "data-disabled"?: unknown };

/**
 * keptInFocus makes the element of a button: a link, of one that leads somewhere. While it loads it is not disabled, but does nothing when it is pressed: a disabled button loses the focus, and who
 * works without a mouse would be at the top of the page.
 */
export function keptInFocus(root: Root) {
  if (root.href !== undefined) return <a {...(root as ComponentPropsWithRef<"a">)} />;
  if (!root["data-loading"] || root["data-disabled"]) return <button {...root} />;
  return <button {...root} disabled={false} aria-disabled aria-busy onClick={refuse} />;
}

function refuse(event: MouseEvent) {
  event.preventDefault();
  event.stopPropagation();
}
