import { Alert, Button, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { problemOf, capitalized, textOf } from "../api/problem";
import { retryOf } from "../api/recover";

const ByItself = "This page tries again by itself.";

interface ProblemBoxProps {
  error: unknown;
  title?: string;
  /** retried says that the caller retries by itself; for failed queries this is known anyway. */
  retried?: boolean;
}

/**
 * ProblemBox says what went wrong and what helps; by the id of the request the log can be searched. A failed query that may still succeed gets a button to retry.
 * What somebody has sent is never sent again by itself, and is not said to be.
 */
export function ProblemBox({ error, title, retried = false }: ProblemBoxProps) {
  const problem = problemOf(error);
  const again = retryOf(error);
  const hint = [problem.hint && capitalized(problem.hint), problem.code === "unreachable" && (again || retried) && ByItself].filter(Boolean).join(" ");
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} />} title={title ?? textOf(problem)} styles={{ title: { color: "var(--rt-failed)" } }}>
      {title && <Text size="sm">{textOf(problem)}</Text>}
      {problem.errors?.map((error) => (
        <Text size="sm" key={`${error.path ?? error.location}${error.message}`}>
          <span className="rt-mono">{error.path ?? error.location}</span> {error.message}
        </Text>
      ))}
      {hint && <Text size="sm">{hint}</Text>}
      {problem.request_id && (
        <Text size="xs" c="dimmed" className="rt-mono">
          {problem.request_id}
        </Text>
      )}
      {again && (
        <Button size="compact-sm" variant="default" mt={8} onClick={again}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
