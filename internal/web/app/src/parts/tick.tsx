import classes from "./tick.module.css";

interface TickProps {
  label: string;
  checked: boolean;
  /** some says that a part of what it stands for is chosen. */
  some?: boolean;
  change: () => void;
}

/** Tick is the box that chooses a row: the browser's own, for tables have hundreds. */
export function Tick({ label, checked, some = false, change }: TickProps) {
  const half = (box: HTMLInputElement | null) => {
    if (box) box.indeterminate = some;
  };
  return <input ref={half} type="checkbox" className={classes.tick} aria-label={label} checked={checked} onChange={change} />;
}
