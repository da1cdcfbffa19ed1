import classes from "./tick.module.css";

interface TickProps {
  label: string;
  checked: boolean;
  /** some says that only a part of what it stands for is chosen. */
  some?: boolean;
  change: () => void;
}

/** Tick is a checkbox for a row: the browser's own, since a table has hundreds and Mantine's is slow by comparison. */
export function Tick({ label, checked, some = false, change }: TickProps) {
  const half = (box: HTMLInputElement | null) => {
    if (box) box.indeterminate = some;
  };
  return <input ref={half} type="checkbox" className={classes.tick} aria-label={label} checked={checked} onChange={change} />;
}
