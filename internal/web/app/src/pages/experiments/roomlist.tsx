import { Alert, Button, Group } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import type { Schemas } from "../../api/client";
import { Copy } from "../../parts/copy";
import { linked } from "../../parts/go";
import { type Column, DataTable } from "../../parts/table";

/** MadeRooms is where the agents of a run in rooms have to go. */
export type MadeRooms = Schemas["MediaRooms"];

type Room = Schemas["MediaRoom"];

/** RoomList shows once how agents join their rooms; the tokens cannot be seen again. */
export function RoomList({ made }: { made: MadeRooms }) {
  const rooms = made.rooms ?? [];
  return (
    <>
      <Alert icon={<IconKey size={18} />} variant="light" color="yellow" role="status" title="These tokens are shown once" styles={{ title: { color: "var(--rt-void)" } }}>
        Let an agent join each room with its address and token. A call waits until the agent is there, and ends as “agent never joined” when none comes. Each token opens its own room
        and nothing else; keep it like a password.
      </Alert>
      <Group>
        <Button renderRoot={linked({ to: "/experiments/$id", params: { id: made.experimentId } })}>Watch the calls</Button>
        <Group gap={4}>
          <Copy value={JSON.stringify(made, null, 2)} label="Copy all as JSON" />
          Copy all as JSON
        </Group>
      </Group>
      <DataTable label="Rooms" columns={columns} rows={rooms} rowKey={(room) => room.roomName} />
    </>
  );
}

const columns: Column<Room>[] = [
  { key: "item", header: "Scenario", cell: (room) => <Value value={room.datasetItemId} label="Copy the scenario's id" /> },
  { key: "room", header: "Room", cell: (room) => <Value value={room.roomName} label="Copy the room's name" /> },
  { key: "url", header: "Address", cell: (room) => <Value value={room.url} label="Copy the address" /> },
  { key: "token", header: "Token", cell: (room) => <Value value={room.token} label="Copy the token" secret /> },
];

function Value({ value, label, secret }: { value: string; label: string; secret?: boolean }) {
  return (
    <Group gap={4} wrap="nowrap">
      <span className="rt-mono">{secret ? `${value.slice(0, 12)}…` : value}</span>
      <Copy value={value} label={label} />
    </Group>
  );
}
