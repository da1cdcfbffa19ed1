import { Button, Center, Loader, Stack, Text, Title } from "@mantine/core";
import { Link, useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { isMissing, passing } from "../api/problem";
import { Pace } from "../api/recover";
import { ProblemBox } from "../parts/problem";

const Renewed = "ringtrue-renewed";
const renewed = () => Number(window.sessionStorage.getItem(Renewed) ?? 0);

/** renew loads the app anew once the service answers: parts of another version are under other names. */
async function renew(): Promise<void> {
  const answer = await fetch("/", { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  if (!answer?.ok) return;
  window.sessionStorage.setItem(Renewed, String(Date.now()));
  window.location.reload();
}

export function Pending() {
  return (
    <Center mih={240}>
      <Loader size="sm" type="dots" aria-label="Loading" />
    </Center>
  );
}

/** isFault tells whether a page threw something while it was drawn: a TypeError then is a fault of ours, not a service that does not answer. */
function isFault(error: unknown): error is Error {
  return error instanceof Error && !isMissing(error);
}

/** RouteProblem stands where a page cannot be shown. It tries again by itself where that may help. */
export function RouteProblem({ error, reset }: { error: unknown; reset?: () => void }) {
  const router = useRouter();
  const again = () => {
    if (isMissing(error)) return void renew();
    reset?.();
    void router.invalidate();
  };
  const byItself = useEffectEvent(again);
  useEffect(() => {
    if (isMissing(error) && Date.now() - renewed() > Pace) void renew();
    const timer = setInterval(() => passing(error) && !isFault(error) && byItself(), Pace);
    return () => clearInterval(timer);
  }, [error]);
  const told = isFault(error) ? { status: 0, code: "internal", title: "This page cannot be shown", hint: `The fault is the app's own: ${error.message}` } : error;
  return (
    <Stack p="md" maw={720} mx="auto">
      <ProblemBox error={told} retried />
      <Button variant="default" w="fit-content" onClick={again}>
        Try again
      </Button>
    </Stack>
  );
}

/** NotFound stands where no page is, within the frame of those that are signed in; Nowhere where there is no frame either. */
export function NotFound() {
  useEffect(() => {
    document.title = "Nothing at this address · Ringtrue";
  }, []);
  return (
    <Stack p="xl" align="center">
      <Title order={1} ta="center">There is nothing at this address</Title>
      <Text c="dimmed" ta="center">It may have been deleted, or it belongs to another workspace.</Text>
      <Link to="/">Go to the overview</Link>
    </Stack>
  );
}

export function Nowhere() {
  return (
    <main>
      <NotFound />
    </main>
  );
}
