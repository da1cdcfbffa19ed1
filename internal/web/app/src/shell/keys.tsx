import { ActionIcon } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconKeyboard } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { Leaps } from "./leaps";
import { toFirstRow } from "./rows";

const KeysHelp = lazy(() => import("./keyshelp").then((m) => ({ default: m.KeysHelp })));

/** Keys handles the keyboard shortcuts of all pages, and lists them on "?". Those of a page are handled there. */
export function Keys() {
  const [opened, { open, close }] = useDisclosure();
  const navigate = useNavigate();
  useEffect(() => {
    let leaping = 0;
    function press(event: KeyboardEvent) {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, [contenteditable=true], [role=dialog]")) return;
      const leap = Leaps[event.key];
      if (Date.now() - leaping < 1200 && leap) {
        leaping = 0;
        void navigate({ to: leap[0] });
      } else if (event.key === "g") {
        leaping = Date.now();
      } else if (event.key === "?") {
        open();
      } else if (event.key === "j" || event.key === "k") {
        // Inside a table the table itself moves the focus.
        if (!event.defaultPrevented && !target.closest("tbody") && toFirstRow(document)) event.preventDefault();
      } else if (event.key === "/") {
        const search = document.querySelector<HTMLInputElement>("main input[type=search]");
        if (!search) return;
        event.preventDefault();
        search.focus();
      }
    }
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [navigate, open]);
  return (
    <>
      <ActionIcon color="gray" title="Keyboard shortcuts (?)" aria-label="Keyboard shortcuts" onClick={open} visibleFrom="xs">
        <IconKeyboard size={17} />
      </ActionIcon>
      {opened && (
        <Suspense>
          <KeysHelp close={close} />
        </Suspense>
      )}
    </>
  );
}
