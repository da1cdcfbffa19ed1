import { Badge, Button, FileButton, Group, NativeSelect, Skeleton, Stack, Table, Text } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Schemas } from "../../api/client";
import { count } from "../../parts/format";
import { ProblemBox } from "../../parts/problem";
import classes from "./file.module.css";
import { check, type Format, formatOf, MaxFile } from "./files";
import { firstLine } from "./outline";

/** Chosen is a file of items that the service has found valid. */
export interface Chosen {
  file: File;
  format: Format;
}

/** ItemFile lets somebody choose or drop a file of items and has it checked at once. take gets the file once it is valid, and null while there is none. */
export function ItemFile({ take }: { take: (chosen: Chosen | null) => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [nth, setNth] = useState(0); // counts the choices: a file that is chosen once more is read once more, for it may have been changed
  const [named, setNamed] = useState<Format>();
  const format = named ?? (file ? formatOf(file.name) : undefined);
  const unfit = file !== null && unfitOf(file);
  const report = useQuery({
    queryKey: ["check", file?.name, nth, format],
    queryFn: ({ signal }) => check(file ?? "", format ?? "json", signal),
    enabled: file !== null && format !== undefined && !unfit,
    retry: false, refetchOnWindowFocus: false, gcTime: 0,
  });
  const good = report.data !== undefined && !report.isFetching && report.data.problems.length === 0;
  const tell = useEffectEvent(take);
  // Told of what is shown, not by the question itself: an answer about a file chosen before may still come when another one stands there.
  useEffect(() => {
    tell(file && format && good ? { file, format } : null);
  }, [file, format, good]);
  const choose = (next: File | null) => {
    setNamed(undefined);
    setFile(next);
    setNth(nth + 1);
  };
  return (
    <Stack gap="xs">
      <Drop file={file} choose={choose} />
      {file && (named !== undefined || formatOf(file.name) === undefined) && (
        <NativeSelect
          label="Choose the format: the file's name does not show it" data={["", "json", "jsonl", "yaml", "csv"]} value={named ?? ""}
          onChange={(event) => setNamed((event.currentTarget.value || undefined) as Format | undefined)}
        />
      )}
      {unfit && <Text c="var(--rt-failed)" size="sm" role="alert">{unfit}</Text>}
      {report.isFetching && <Skeleton height={60} aria-label="Reading the file" />}
      {report.error && <ProblemBox error={report.error} />}
      {report.data && !report.isFetching && <Report found={report.data} />}
    </Stack>
  );
}

/** unfitOf says why a file need not even be sent. */
function unfitOf(file: File): string | undefined {
  if (file.size === 0) return "The file is empty.";
  return file.size > MaxFile ? "The file is larger than 16 MiB. Split it in two." : undefined;
}

function Drop({ file, choose }: { file: File | null; choose: (file: File | null) => void }) {
  const [over, setOver] = useState(false);
  const [many, setMany] = useState(false);
  const forget = useRef<() => void>(null);
  const chosen = (next: File | null) => {
    forget.current?.(); // otherwise no change event comes when the same file is chosen again, after it was corrected
    setMany(false);
    choose(next);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [first, second] = event.dataTransfer.files;
    setMany(second !== undefined);
    if (first && !second) choose(first); // dropped text is no file
  };
  return (
    <div
      className={classes.drop} data-over={over || undefined} onDrop={drop} onDragLeave={() => setOver(false)}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
    >
      <IconFileUpload size={22} stroke={1.5} aria-hidden />
      <Text size="sm" className="rt-words">
        {file ? file.name : "Drop a file here: JSON, JSON Lines, YAML or CSV"}
      </Text>
      <FileButton onChange={chosen} resetRef={forget} accept=".json,.jsonl,.ndjson,.yaml,.yml,.csv">
        {(props) => (
          <Button {...props} variant="default" size="xs">
            {file ? "Choose another file" : "Choose a file"}
          </Button>
        )}
      </FileButton>
      {many && <Text size="sm" c="var(--rt-failed)" role="alert">One file at a time, please: none of these was taken.</Text>}
    </div>
  );
}

/** Report tells what a file holds, or everything that is wrong with it: line, place, what, and the word that was probably meant. */
export function Report({ found }: { found: Schemas["ItemsChecked"] }) {
  const { problems } = found;
  if (problems.length > 0) {
    return (
      <Stack gap={4} role="alert">
        <Text size="sm" fw={600} c="var(--rt-failed)">
          {problems.length === 1 ? "1 problem: fix it, then choose the file again" : `${count(problems.length)} problems: fix them, then choose the file again`}
        </Text>
        <div className={classes.frame} tabIndex={0} role="region" aria-label="Problems in the file">
          <Table stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th className="rt-num">Line</Table.Th>
                <Table.Th>Field</Table.Th>
                <Table.Th>What is wrong</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {problems.map((problem, n) => (
                <Table.Tr key={n}>
                  <Table.Td className="rt-num">{problem.line ?? ""}</Table.Td>
                  <Table.Td className="rt-mono rt-words">{problem.path}</Table.Td>
                  <Table.Td className="rt-words">
                    {problem.message}
                    {problem.suggestion && <>; did you mean <code>{problem.suggestion}</code>?</>}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      </Stack>
    );
  }
  const { items } = found;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge color="ring" variant="light" tt="none">
          {found.item_count === 1 ? "1 scenario" : `${count(found.item_count)} scenarios`}
        </Badge>
        <Text size="sm">The file is fine.</Text>
      </Group>
      <ul className={classes.preview}>
        {items.slice(0, 5).map((item, n) => (
          <li key={n} className="rt-clip">
            {item.key && <b>{item.key} </b>}
            {firstLine(item)}
          </li>
        ))}
      </ul>
      {found.item_count > 5 && <Text size="xs" c="dimmed">and {count(found.item_count - 5)} more</Text>}
    </Stack>
  );
}
