/** Name is what people have called something, in a table: of any length and script. */
export function Name({ children }: { children: string }) {
  return (
    <span className="rt-name" title={children}>
      {children}
    </span>
  );
}
