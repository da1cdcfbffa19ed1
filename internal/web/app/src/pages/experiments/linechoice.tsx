import { SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import type { RunForm } from "./runform";

interface LineChoiceProps {
  form: RunForm;
  set: (part: Partial<RunForm>) => void;
  to: string;
  errors: Record<string, string>;
}

/** LineChoice is how the run reaches the agent: by telephone, or in rooms. */
export function LineChoice({ form, set, to, errors }: LineChoiceProps) {
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500} id="line">
        How to reach the agent
      </Text>
      <SegmentedControl aria-labelledby="line" w="fit-content" value={form.line} onChange={(line) => set({ line: line === "rooms" ? "rooms" : "phone" })} data={[{ value: "phone", label: "Telephone" }, { value: "rooms", label: "Media rooms" }]} />
      {form.line === "phone" ? (
        <TextInput
          label="Phone number" type="tel" withAsterisk={!to} placeholder={to || "+15550100"} value={form.to} onChange={(event) => set({ to: event.currentTarget.value })} error={errors["to_number"]}
          description={to ? `Leave empty to dial ${to}, the agent's own number` : "In international format"} autoComplete="off"
        />
      ) : (
        <TextInput
          label="Agent worker" value={form.worker} onChange={(event) => set({ worker: event.currentTarget.value })} error={errors["agent_name"]} autoComplete="off"
          description="The name under which agent workers are registered at the media server: one is sent into each room. Leave empty if agents join by themselves."
        />
      )}
    </Stack>
  );
}
