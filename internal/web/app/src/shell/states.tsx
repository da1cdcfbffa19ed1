import { Button, Center, Loader, Stack, Text, Title } from "@mantine/core";
import { Link, useRouter } from "@tanstack/react-router";
import { ProblemBox } from "../parts/problem";

export function Pending() {
  return (
    <Center mih={240}>
      <Loader size="sm" type="dots" aria-label="Loading" />
    </Center>
  );
}

/** RouteProblem stands where a page cannot be shown. */
export function RouteProblem({ error, reset }: { error: unknown; reset?: () => void }) {
  const router = useRouter();
  return (
    <Stack p="md" maw={720} mx="auto">
      <ProblemBox error={error} />
      <Button
        variant="default"
        w="fit-content"
        onClick={() => {
          reset?.();
          void router.invalidate();
        }}
      >
        Try again
      </Button>
    </Stack>
  );
}

export function NotFound() {
  return (
    <Stack p="xl" align="center" component="main">
      <Title order={1}>There is nothing at this address</Title>
      <Text c="dimmed">It may have been deleted, or it belongs to another workspace.</Text>
      <Link to="/">To the overview</Link>
    </Stack>
  );
}
