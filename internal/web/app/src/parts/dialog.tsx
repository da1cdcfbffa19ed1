import { Modal, type ModalProps } from "@mantine/core";
import { useEffect, useState } from "react";

/**
 * Dialog is a modal that is there while it is open, and not before: what had the focus has it again when it goes. Where that is gone meanwhile, as with the row
 * whose deletion was asked about, what it stood in has the focus, so that nobody who works without a mouse begins at the top again.
 */
export function Dialog(props: Omit<ModalProps, "opened">) {
  const [wayBack] = useState(() => wayBackOf(openerOf(document.activeElement)));
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.querySelector("[role=dialog]")) return;
        const [opener] = wayBack;
        const left = wayBack.find((place) => place.isConnected);
        if (left === opener) opener?.focus();
        else if (document.activeElement === document.body) left?.focus({ preventScroll: true });
      }, 0);
    },
    [wayBack],
  );
  return <Modal opened {...props} />;
}

/** openerOf is what the focus goes back to: the button of a menu stands for an entry of it, which is gone by then. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest("[role=menu]");
  const target = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
  return target instanceof HTMLElement && target !== document.body ? target : null;
}

/** wayBackOf are an element and all around it that can have the focus, from the inside out. */
function wayBackOf(opener: HTMLElement | null): HTMLElement[] {
  const places: HTMLElement[] = [];
  for (let place = opener; place; place = place.parentElement?.closest<HTMLElement>("[tabindex]") ?? null) places.push(place);
  return places;
}
