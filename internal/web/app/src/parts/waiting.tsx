import { Skeleton } from "@mantine/core";

/** Waiting stands for something that the service has not answered yet, and says so to those who do not see it. */
export function Waiting({ height }: { height: number }) {
  return (
    <div role="status" aria-busy aria-label="Loading">
      <Skeleton height={height} />
    </div>
  );
}
