import { Alert, Button, Code, Group, Text } from "@mantine/core";
import { IconDownload, IconExternalLink, IconKey } from "@tabler/icons-react";
import { queries, type Schemas } from "../../api/client";
import { Copy } from "../../parts/copy";
import { linked } from "../../parts/go";
import { save } from "../../parts/save";
import { type Column, DataTable } from "../../parts/table";

/** MadeRooms are the rooms of a run, with the tokens by which agents join. */
export type MadeRooms = Schemas["MediaRooms"];

type Room = Schemas["MediaRoom"];

/** RoomList shows how agents join their rooms. It is the only time that the tokens can be seen. */
export function RoomList({ made }: { made: MadeRooms }) {
  const { rooms } = made;
  const json = JSON.stringify(made, null, 2);
  const titles = useTitles(made.experimentId);
  return (
    <>
      <Alert icon={<IconKey size={18} />} variant="light" color="yellow" role="status" title="These tokens are shown once" styles={{ title: { color: "var(--rt-void)" } }}>
        Let an agent join each room with its address and token. A call waits until the agent is there, and ends as “agent never joined” if none joins. Each token opens its own room
        and nothing else; treat it like a password.
      </Alert>
      <Group>
        <Button leftSection={<IconDownload size={16} />} onClick={() => save(nameOf(made), json, "application/json")}>
          Download as JSON
        </Button>
        {/* In a new tab: the tokens on this page cannot be shown again. */}
        <Button variant="default" rightSection={<IconExternalLink size={14} />} renderRoot={linked({ to: "/experiments/$id", params: { id: made.experimentId } }, true)}>
          Watch the calls
        </Button>
        <Group gap={4}>
          <Copy value={json} label="Copy all as JSON" />
          <Text size="sm">Copy all as JSON</Text>
        </Group>
      </Group>
      <Text size="sm" c="dimmed">
        To see it work without an agent of your own, let the practice agent join them: <Code>ringtrue practice --rooms-from {nameOf(made)}</Code>
      </Text>
      <DataTable label="Rooms" columns={columnsOf(titles)} rows={rooms} rowKey={(room) => room.roomName} />
    </>
  );
}

/** useTitles gives the title of a scenario by its id. */
function useTitles(id: string): (item: string) => string {
  const { data } = queries.useQuery("get", "/voice-experiments/{id}/results", { params: { path: { id }, query: { limit: 1000 } } }, { staleTime: 60_000 });
  const titles = new Map(data?.scenarios?.map((scenario) => [scenario.dataset_item_id, scenario.title]));
  return (item) => titles.get(item) ?? item;
}

/** nameOf is the file that the rooms are saved as. */
function nameOf(made: MadeRooms): string {
  return `rooms-${made.experimentId}.json`;
}

function columnsOf(titles: (item: string) => string): Column<Room>[] {
  return [
    { key: "item", header: "Scenario", cell: (room) => titles(room.datasetItemId) },
    { key: "room", header: "Room", cell: (room) => <Value value={room.roomName} label={`Copy the name of the room of ${titles(room.datasetItemId)}`} /> },
    { key: "url", header: "Address", cell: (room) => <Value value={room.url} label={`Copy the address of the room of ${titles(room.datasetItemId)}`} /> },
    { key: "token", header: "Token", cell: (room) => <Value value={room.token} label={`Copy the token of ${titles(room.datasetItemId)}`} secret /> },
  ];
}

function Value({ value, label, secret }: { value: string; label: string; secret?: boolean }) {
  return (
    <Group gap={4} wrap="nowrap">
      <span className="rt-mono">{secret ? `${value.slice(0, 12)}…` : value}</span>
      <Copy value={value} label={label} />
    </Group>
  );
}
