import { Button, Center, Loader, Stack, Text, Title } from "@mantine/core";
import { Link, useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { isChunkError, isTransient } from "../api/problem";
import { Pace } from "../api/recover";
import { ProblemBox } from "../parts/problem";

const ReloadKey = "ringtrue-lastReload";
const lastReload = () => Number(window.sessionStorage.getItem(ReloadKey) ?? 0);

/** reloadApp reloads the page if the service answers: the files of another version of the app have other names. */
async function reloadApp(): Promise<void> {
  const answer = await fetch("/", { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  if (!answer?.ok) return;
  window.sessionStorage.setItem(ReloadKey, String(Date.now()));
  window.location.reload();
}

export function Pending() {
  return (
    <Center mih={240}>
      <Loader size="sm" type="dots" aria-label="Loading" />
    </Center>
  );
}

/** isFault tells whether the page itself threw: a TypeError from rendering is a mistake of the app, not a service that does not answer. */
function isFault(error: unknown): error is Error {
  return error instanceof Error && !isChunkError(error);
}

/** RouteProblem stands in for a page that cannot be shown. It retries by itself where that may help; a reload, at most once per Pace, lest it reloads forever. */
export function RouteProblem({ error, reset }: { error: unknown; reset?: () => void }) {
  const router = useRouter();
  const again = () => {
    if (isChunkError(error)) return void reloadApp();
    reset?.();
    void router.invalidate();
  };
  const byItself = useEffectEvent(again);
  useEffect(() => {
    if (isChunkError(error) && Date.now() - lastReload() > Pace) void reloadApp();
    const timer = setInterval(() => isTransient(error) && !isFault(error) && byItself(), Pace);
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

/** NotFound is shown at an unknown address inside the frame of the app. */
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

/** Nowhere is NotFound where there is no frame, and so no main element, around it. */
export function Nowhere() {
  return (
    <main>
      <NotFound />
    </main>
  );
}
