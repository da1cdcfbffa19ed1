import { Skeleton } from "@mantine/core";

/** Waiting is a placeholder for what is being loaded, and says so to screen readers. */
export function Waiting({ height }: { height: number }) {
  return (
    <div role="status" aria-busy aria-label="Loading">
      <Skeleton height={height} />
    </div>
  );
}
