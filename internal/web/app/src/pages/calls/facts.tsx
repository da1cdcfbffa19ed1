import type { ReactNode } from "react";
import classes from "./call.module.css";

/** Facts is a table of names and values. Rows without a value are left out, and the table without rows. */
export function Facts({ title, rows }: { title?: string; rows: [string, ReactNode][] }) {
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  if (known.length === 0) return null;
  return (
    <table className={classes.facts}>
      {title && <caption>{title}</caption>}
      <tbody>
        {known.map(([name, value]) => (
          <tr key={name}>
            <th scope="row" style={{ width: "38%" }}>
              {name}
            </th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
