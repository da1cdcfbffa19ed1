/** Name is a name that people gave to something, for a table: it may be of any length and script. */
export function Name({ children }: { children: string }) {
  return (
    <span className="rt-name" title={children}>
      {children}
    </span>
  );
}
