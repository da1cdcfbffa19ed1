import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { request } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { ProblemBox } from "../../parts/problem";
import { enter } from "../../shell/session";

interface SectionProps {
  title: string;
  about?: ReactNode;
  children: ReactNode;
}

/** Section is one subject of a settings page. */
export function Section({ title, about, children }: SectionProps) {
  return (
    <Paper component="section" aria-label={title} withBorder p="md" radius="md" bg="var(--rt-surface)">
      <Stack gap="sm">
        <div>
          <Title order={2}>{title}</Title>
          {about && (
            <Text size="sm" c="dimmed" maw={720}>
              {about}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Paper>
  );
}

/** useRenaming is a name that can be edited and saved by a PATCH of path. While nothing is written it follows the name that is saved, also when that is changed elsewhere. */
export function useRenaming(now: string, path: string) {
  const [written, write] = useState<string>();
  const name = written ?? now;
  const doing = useMutation({
    mutationFn: async () => {
      await request("PATCH", path, { name });
      return name;
    },
    onSuccess: async (saved) => {
      await enter();
      write((latest) => (latest === saved ? undefined : latest)); // what was written since is still to be saved
    },
  });
  return { name, write, doing };
}

interface FormProps {
  doing: Pick<UseMutationResult<unknown, unknown, void>, "mutate" | "isPending" | "isError" | "isSuccess" | "error">;
  verb: string;
  /** done is the message after success. */
  done?: string | undefined;
  disabled?: boolean;
  /** readOnly leaves out the button, for those who may only look. */
  readOnly?: boolean;
  children: ReactNode;
}

/** Form is a form in one line with its button, and the message of how it went below. */
export function Form({ doing, verb, done, disabled, readOnly, children }: FormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        doing.mutate();
      }}
    >
      <Stack gap="sm">
        <Group align="flex-end" gap="sm">
          {children}
          {!readOnly && (
            <Button type="submit" loading={doing.isPending} disabled={disabled}>
              {verb}
            </Button>
          )}
        </Group>
        {doing.isError && <ProblemBox error={doing.error} />}
        {doing.isSuccess && done && (
          <Text size="sm" role="status" c="var(--rt-passed)">
            {done}
          </Text>
        )}
      </Stack>
    </form>
  );
}
