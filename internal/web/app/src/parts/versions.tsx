import { Button, Stack, Text, Title } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { request } from "../api/client";
import { refresh } from "../api/refresh";
import { Go } from "./go";
import { Labels } from "./labels";
import { Needs } from "./needs";
import { Page } from "./page";
import { ProblemBox } from "./problem";
import { type Column, DataTable } from "./table";
import { Time } from "./time";
import { Waiting } from "./waiting";

/** Version is what versions of prompts and of scorers have in common. */
export interface Version {
  version: number;
  labels: string[];
  created_at: number | null;
}

interface VersionsProps<V extends Version> {
  slug: string;
  up: { to: string; label: string };
  /** shown is the version on the page; all are all versions, the newest first. */
  shown: { data: V | undefined; error: unknown };
  all: { data: V[] | undefined; error: unknown };
  title: (shown: V) => string;
  /** about describes the version that is shown; newest is set where that is another one. */
  about: (shown: V, newest: number | undefined) => ReactNode;
  /** refused says that the address asks for a new version, and the person may not make one. */
  refused: boolean;
  /** begin starts a new version; false where that is not possible now. */
  begin: (() => void) | false;
  columns: (all: V[], shown: V) => Column<V>[];
  children: (shown: V, all: V[]) => ReactNode;
}

/** Versions is the page of a thing that has versions: one of them, and the list of all. */
export function Versions<V extends Version>({ slug, up, shown, all, title, about, refused, begin, columns, children }: VersionsProps<V>) {
  const one = shown.data;
  if (!one) {
    return (
      <Page title={slug} up={up}>
        {shown.error ? <ProblemBox error={shown.error} /> : <Waiting height={320} />}
      </Page>
    );
  }
  const newest = all.data?.[0]?.version ?? one.version;
  const list = all.data ?? [];
  return (
    <Page
      title={title(one)} up={up} about={about(one, newest === one.version ? undefined : newest)}
      actions={
        begin && (
          <Button leftSection={<IconPencil size={16} />} onClick={begin}>
            New version
          </Button>
        )
      }
    >
      {refused && <Needs role="member" what="Saving a new version" />}
      {children(one, list)}
      <Stack gap="xs">
        <Title order={2}>Versions</Title>
        {all.error ? <ProblemBox error={all.error} /> : <DataTable label="Versions" rows={all.data} rowKey={(v) => String(v.version)} columns={columns(list, one)} />}
      </Stack>
    </Page>
  );
}

/** newestOf is the number of the newest version, as far as it is known: from the list, or from current, what the service gave when no version was named. */
export function newestOf(all: Version[], current: Version | undefined): number | undefined {
  return all[0]?.version ?? current?.version;
}

/** Overtaken tells the author of a version that somebody else has saved one since they began. Both are kept, and theirs becomes the newest. */
export function Overtaken({ begun, newest }: { begun: number | undefined; newest: number | undefined }) {
  return (
    <Text size="sm" role="status" c="var(--rt-warn)">
      {begun !== undefined && newest !== undefined && newest > begun && `Somebody else has saved version ${newest} in the meantime. Yours will be the version after it.`}
    </Text>
  );
}

interface ColumnProps<V extends Version> {
  /** room is the path of the list: "/prompts". */
  room: "/prompts" | "/scorers";
  slug: string;
  all: V[];
  may: boolean;
  /** beside is shown after the number of a version. */
  beside?: (v: V) => ReactNode;
}

/** versionColumns are the columns that all lists of versions have. */
export function versionColumns<V extends Version>({ room, slug, all, may, beside }: ColumnProps<V>): { version: Column<V>; labels: Column<V>; made: Column<V> } {
  const known = all.flatMap((v) => v.labels);
  const move = (version: number) => async (label: string) => {
    await request("PUT", `${room}/${encodeURIComponent(slug)}/labels/${encodeURIComponent(label)}`, { version });
    await refresh(room);
  };
  return {
    version: {
      key: "version", header: "Version", cell: (v) => (
        <>
          <Go to={`${room}/$slug` as const} params={{ slug }} search={{ at: String(v.version) }}>
            Version {v.version}
          </Go>
          {beside?.(v)}
        </>
      ),
    },
    labels: { key: "labels", header: "Labels", cell: (v) => <Labels labels={v.labels} known={known} version={v.version} {...(may && { move: move(v.version) })} /> },
    made: { key: "at", header: "Created", cell: (v) => <Time at={v.created_at} /> },
  };
}
