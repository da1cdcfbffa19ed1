import { Kbd, Table } from "@mantine/core";
import { Dialog } from "../parts/dialog";
import { Leaps } from "./leaps";

/** KeysHelp lists the short cuts. */
export function KeysHelp({ close }: { close: () => void }) {
  return (
    <Dialog onClose={close} title="Keyboard">
      <Table>
        <Table.Tbody>
          {Object.entries(Leaps).map(([key, [, label]]) => (
            <Line key={key} keys={["g", key]} does={`Go to ${label}`} />
          ))}
          <Line keys={["/"]} does="Search on this page" />
          <Line keys={["j", "k"]} does="Next and previous row of a table" />
          <Line keys={["Space"]} does="Play and pause, on the page of a call" />
          <Line keys={["←", "→"]} does="5 s back and on, on the page of a call" />
          <Line keys={["<", ">"]} does="Slower and faster, on the page of a call" />
          <Line keys={["←", "→"]} does="From point to point, on a chart" />
          <Line keys={["Enter"]} does="Open the scenario, in the sheet of a dataset; arrows move" />
          <Line keys={["Alt", "↑ ↓"]} does="Move a step of a script" />
          <Line keys={["?"]} does="This list" />
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}

function Line({ keys, does }: { keys: string[]; does: string }) {
  return (
    <Table.Tr>
      <Table.Td w={110}>
        {keys.map((key) => (
          <Kbd key={key} mr={4}>
            {key}
          </Kbd>
        ))}
      </Table.Td>
      <Table.Td>{does}</Table.Td>
    </Table.Tr>
  );
}
