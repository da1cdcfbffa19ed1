import { Kbd, Table } from "@mantine/core";
import { Dialog } from "../parts/dialog";
import { Leaps } from "./leaps";

/** KeysHelp lists the shortcuts. */
export function KeysHelp({ close }: { close: () => void }) {
  return (
    <Dialog onClose={close} title="Keyboard shortcuts">
      <Table>
        <Table.Tbody>
          {Object.entries(Leaps).map(([key, [, label]]) => (
            <Line key={key} keys={["g", key]} does={`Go to ${label}`} />
          ))}
          <Line keys={["/"]} does="Search on this page" />
          <Line keys={["j", "k"]} does="Next or previous row of a table" />
          <Line keys={["Space"]} does="On a call: play or pause" />
          <Line keys={["←", "→"]} does="On a call: 5 s back or forward" />
          <Line keys={["<", ">"]} does="On a call: slower or faster" />
          <Line keys={["←", "→"]} does="On a chart: previous or next point" />
          <Line keys={["Enter"]} does="In a dataset: open the scenario; arrow keys move" />
          <Line keys={["Alt", "↑ ↓"]} does="In a script: move the step up or down" />
          <Line keys={["?"]} does="Show this list" />
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
