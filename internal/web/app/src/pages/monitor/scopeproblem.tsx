import { Alert, Button, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { problemOf } from "../../api/problem";
import { useChange } from "../../parts/go";
import { ProblemBox } from "../../parts/problem";
import type { Scope } from "./scope";
import { toBar } from "./scopebar";

/**
 * ScopeProblem says what went wrong on a page of monitoring. When the service refuses the time in the address, it says that and offers the present: which parameter of
 * which request was refused tells nobody anything, least of all where the page asks for more time than the address names.
 */
export function ScopeProblem({ error, scope }: { error: unknown; scope: Scope }) {
  const change = useChange<Scope>();
  const refused = problemOf(error).errors?.some(({ path, location }) => /^(query\.)?(from|until)$/.test(path ?? location ?? ""));
  if (!refused || scope.from === undefined) return <ProblemBox error={error} />;
  const latest = () => {
    toBar();
    change({ from: undefined, until: undefined });
  };
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} />} title="The time in the address cannot be shown" styles={{ title: { color: "var(--rt-failed)" } }}>
      <Text size="sm">It is too long, or lies too far in the past or in the future.</Text>
      <Button size="compact-sm" variant="default" mt={8} onClick={latest}>
        Show the latest
      </Button>
    </Alert>
  );
}
