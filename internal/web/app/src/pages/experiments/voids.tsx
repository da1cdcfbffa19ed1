import { Alert, List, Text } from "@mantine/core";
import { IconCircleMinus } from "@tabler/icons-react";
import { count } from "../../parts/format";
import { Go } from "../../parts/go";
import type { Results } from "./results";

const Shown = 8;

/** Voids lists the calls that do not count because something went wrong on our side, by reason. */
export function Voids({ results }: { results: Results }) {
  const reasons = results.void;
  const calls = reasons.reduce((sum, reason) => sum + reason.call_ids.length, 0);
  if (calls === 0) return null;
  return (
    <Alert
      role="note"
      variant="light" color="yellow" icon={<IconCircleMinus size={18} />} title={calls === 1 ? "1 call is void and does not count" : `${count(calls)} calls are void and do not count`}
      styles={{ title: { color: "var(--rt-void)" } }}
    >
      <Text size="sm">Something went wrong on Ringtrue's side, so these calls say nothing about the agent:</Text>
      <List size="sm" mt={4}>
        {reasons.map(({ reason, call_ids: ids }) => (
          <List.Item key={reason}>
            {reason.replace(/\.$/, "") || "No reason was given"}:{" "}
            {ids.slice(0, Shown).map((id, i) => (
              <span key={id}>
                {i > 0 && ", "}
                <Go to="/calls/$id" params={{ id }} inText>
                  call {i + 1}
                </Go>
              </span>
            ))}
            {ids.length > Shown && (
              <>
                {" and "}
                <Go to="/experiments/$id" params={{ id: results.voice_experiment.id }} search={{ tab: "calls", verdict: "void" }} inText>
                  {count(ids.length - Shown)} more
                </Go>
              </>
            )}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
