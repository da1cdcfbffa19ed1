import { Button, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { api, queryClient } from "../../api/client";
import { Confirm } from "../../parts/confirm";
import { type Detail, onLine } from "./types";

/** ReviewAgain starts another review of the call. */
export function ReviewAgain({ call }: { call: Detail }) {
  const act = async () => {
    const { error } = await api.POST("/calls/{id}/review", { params: { path: { id: call.id } } });
    if (error !== undefined) throw error;
    await queryClient.invalidateQueries({ queryKey: ["get", "/calls/{id}"] });
  };
  const waits = !onLine(call) && (call.scoring_status === "PENDING" || call.scoring_status === "SCORING");
  return (
    <Confirm
      title="Review this call again?"
      verb="Review again"
      danger={false}
      act={act}
      ask={(open) => (
        <Button variant="default" leftSection={<IconRefresh size={15} />} loading={waits} disabled={call.status !== "ENDED"} onClick={open}>
          Review again
        </Button>
      )}
    >
      <Text size="sm">The current engines and scorers transcribe, measure and score the call again, and work out the caller's feeling. Its verdict may change, and so may its experiment's.</Text>
    </Confirm>
  );
}
