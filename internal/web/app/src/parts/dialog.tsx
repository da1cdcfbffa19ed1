import { Modal, type ModalProps } from "@mantine/core";
import { useEffect, useState } from "react";

/** Dialog is a modal that is there while it is open, and not before: what had the focus has it again when it goes. */
export function Dialog(props: Omit<ModalProps, "opened">) {
  const [opener] = useState(() => openerOf(document.activeElement));
  useEffect(
    () => () => {
      setTimeout(() => {
        if (opener?.isConnected && !document.querySelector("[role=dialog]")) opener.focus();
      }, 0);
    },
    [opener],
  );
  return <Modal opened {...props} />;
}

/** openerOf is what the focus goes back to: the button of a menu stands for an entry of it, which is gone by then. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest("[role=menu]");
  const target = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
  return target instanceof HTMLElement && target !== document.body ? target : null;
}
