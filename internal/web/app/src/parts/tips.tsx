import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import classes from "./tips.module.css";

const Delay = 300; // milliseconds
const Gap = 6; // pixels

/**
 * Tips shows the data-tip of whatever among its children is pointed at or has the focus: one tooltip for a table with thousands of places, each of which would
 * otherwise need its own.
 */
export function Tips({ children }: { children: ReactNode }) {
  const [target, setTarget] = useState<Element | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = (delay: number) => (event: PointerEvent | FocusEvent) => {
    const next = (event.target as Element).closest("[data-tip]");
    clearTimeout(timer.current);
    if (next === target) return;
    setTarget(null);
    if (next) timer.current = setTimeout(() => setTarget(next), delay);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setTarget(null);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <div onPointerOver={show(Delay)} onPointerLeave={hide} onFocus={show(0)} onBlur={hide} onWheel={hide} onClick={hide} onKeyDown={(event) => event.key === "Escape" && hide()}>
      {children}
      {target && <Tip target={target} />}
    </div>
  );
}

function Tip({ target }: { target: Element }) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    target.setAttribute("aria-describedby", id);
    const [at, own] = [target.getBoundingClientRect(), box.current?.getBoundingClientRect()];
    if (!box.current || !own) return undefined;
    const left = Math.min(Math.max(at.left + at.width / 2 - own.width / 2, Gap), window.innerWidth - own.width - Gap);
    const above = at.top - own.height - Gap;
    box.current.style.transform = `translate(${left}px, ${above > 0 ? above : at.bottom + Gap}px)`;
    return () => target.removeAttribute("aria-describedby");
  }, [target, id]);
  return (
    <div ref={box} id={id} role="tooltip" className={classes.tip}>
      {target.getAttribute("data-tip")}
    </div>
  );
}
