import { Alert, Button, Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { IconArrowsDiff, IconChevronDown, IconDownload, IconPlayerPlay, IconX } from "@tabler/icons-react";
import { api, Base } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { problemOf, textOf } from "../../api/problem";
import { Confirm } from "../../parts/confirm";
import { useChange, useGo } from "../../parts/go";
import { save } from "../../parts/save";
import { type Experiment, isOver } from "./figures";
import type { Results } from "./results";
import type { ResultSearch } from "./routes";
import { resultsCsv } from "./resultscsv";

/** Actions are the buttons at the top of an experiment: report, compare, run again, cancel. */
export function Actions({ results, may }: { results: Results; may: boolean }) {
  const e = results.voice_experiment;
  const over = isOver(e.status);
  const change = useChange<ResultSearch>();
  return (
    <>
      <Download results={results} />
      {over && (
        <Button variant="default" leftSection={<IconArrowsDiff size={16} />} onClick={() => change({ open: "compare" })}>
          Compare
        </Button>
      )}
      {may && over && <Rerun e={e} />}
      {may && !over && <Cancel id={e.id} />}
    </>
  );
}

function Download({ results }: { results: Results }) {
  const { id } = results.voice_experiment;
  const at = `${Base}/voice-experiments/${encodeURIComponent(id)}/report`;
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />} rightSection={<IconChevronDown size={14} />}>
          Report
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={`${at}?format=junit`} download>
          JUnit (XML)
        </Menu.Item>
        <Menu.Item component="a" href={`${at}?format=json`} download>
          JSON
        </Menu.Item>
        <Menu.Item onClick={() => save(`experiment-${id}.csv`, resultsCsv(results), "text/csv")}>CSV, a row for each call</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Rerun({ e }: { e: Experiment }) {
  const go = useGo();
  const rerun = useMutation({
    mutationFn: async (only: "all" | "failed") => {
      const { data, error } = await api.POST("/voice-experiments/{id}/rerun", { params: { path: { id: e.id } }, body: { only } });
      if (error) throw error;
      return data;
    },
    onSuccess: (made) => go({ to: "/experiments/$id", params: { id: made.id } }),
  });
  const failed = e.counts.calls - e.counts.passed;
  const problem = rerun.isError ? problemOf(rerun.error) : undefined;
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button leftSection={<IconPlayerPlay size={16} />} rightSection={<IconChevronDown size={14} />} loading={rerun.isPending}>
            Run again
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => rerun.mutate("all")}>All scenarios</Menu.Item>
          <Menu.Item disabled={failed === 0} onClick={() => rerun.mutate("failed")}>
            Only scenarios with a call that did not pass
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {problem && (
        <Alert color="red" variant="light" role="alert" w="100%" withCloseButton closeButtonLabel="Close" onClose={() => rerun.reset()} title={textOf(problem)}>
          {problem.hint}
        </Alert>
      )}
    </>
  );
}

function Cancel({ id }: { id: string }) {
  const client = useQueryClient();
  const cancel = async () => {
    const { error } = await api.POST("/voice-experiments/{id}/cancel", { params: { path: { id } } });
    if (error) throw error;
    await client.invalidateQueries({ queryKey: ["results", id] });
  };
  return (
    <Confirm
      ask={(open) => (
        <Button variant="default" leftSection={<IconX size={16} />} onClick={open}>
          Cancel the run
        </Button>
      )}
      title="Cancel this run?" verb="Cancel the run" act={cancel}
    >
      Waiting calls will not be placed, and calls on the line will be hung up. What has been scored is kept.
    </Confirm>
  );
}
