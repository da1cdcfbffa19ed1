import { type ComponentPropsWithRef, type FocusEvent, type MouseEvent, useState } from "react";

/** Root is what a button gives to the element that it is. */
type Root = ComponentPropsWithRef<"button"> & { href?: string; "data-loading"?: unknown; "data-disabled"?: unknown };

/** keptInFocus makes the element of a button: a link, of one that leads somewhere. */
export function keptInFocus(root: Root) {
  if (root.href !== undefined) return <a {...(root as ComponentPropsWithRef<"a">)} />;
  return <Kept {...root} />;
}

/**
 * Kept is a button that keeps the focus. While it loads it is not disabled, nor is one that has the focus when there is nothing to press it for any more, as when
 * all is saved: it does nothing when it is pressed. A disabled button loses the focus, and who works without a mouse would be at the top of the page.
 */
function Kept(root: Root) {
  const [focused, setFocused] = useState(false);
  const { disabled, onFocus, onBlur } = root;
  const kept = {
    ...root,
    onFocus: (event: FocusEvent<HTMLButtonElement>) => {
      setFocused(true);
      onFocus?.(event);
    },
    onBlur: (event: FocusEvent<HTMLButtonElement>) => {
      setFocused(false);
      onBlur?.(event);
    },
  };
  const loading = Boolean(root["data-loading"]) && !root["data-disabled"];
  if (!loading && !(disabled && focused)) return <button {...kept} />;
  return <button {...kept} disabled={false} aria-disabled {...(loading && { "aria-busy": true })} onClick={refuse} />;
}

function refuse(event: MouseEvent) {
  event.preventDefault();
  event.stopPropagation();
}
