import type { Json } from "../../core/text/json.ts";
import type { RunControl } from "../../surfaces/server/port/port.ts";
import { runOwnCommand } from "../start/own-command.ts";
import type { RunFinder } from "./run-finder.ts";
import { findRepository } from "./run-finder.ts";
import type { Stores } from "./stores.ts";

type ControlParts = { readonly stores: Stores; readonly find: RunFinder; changed(): void };

/**
 * Runs each action as a separate process of the command itself, so that code, errors and permission checks are the
 * same.
 */
export function createRunControl({ stores, find, changed }: ControlParts): RunControl {
  const runCommand = async (top: string, args: readonly string[], input?: Json) => {
    try {
      return await runOwnCommand({ top, args, ...(input === undefined ? {} : { input }) });
    } finally {
      changed();
    }
  };
  const runForRun = async (run: string, args: readonly string[], ...more: readonly string[]) => {
    const { store } = await find(run);
    return runCommand(store.places.top, [...args, "--json", "--", run, ...more]);
  };
  return {
    async start({ repository, pipeline, request, input = {}, approvals, budget, agents = [] }) {
      const { top } = await findRepository(stores, repository);
      const named = agents.flatMap((each) => formatFlag("agent", each));
      const flags = [...formatFlag("approvals", approvals), ...formatFlag("budget", budget), ...named];
      const given = { ...input, ...(request === undefined ? {} : { request }) };
      return runCommand(top, ["run", "--input", "@-", ...flags, "--detach", "--json", "--", pipeline], given);
    },
    resume: (run, { budget, maxTime }) =>
      runForRun(run, ["resume", ...formatFlag("budget", budget), ...formatFlag("max-time", maxTime), "--detach"]),
    cancel: (run, note) => runForRun(run, ["cancel", ...formatNote(note)]),
    pause: (run, note) => runForRun(run, ["pause", ...formatNote(note)]),
    stop: (run, { effect, note }) => runForRun(run, ["stop", ...formatNote(note)], effect),
    land: (run) => runForRun(run, ["land"]),
    revert: (run) => runForRun(run, ["revert"]),
    async fork(run, { phase, request, agents = [] }) {
      const { store, row } = await find(run);
      const [started] = await store.host.journal.page(run, { after: 0, most: 1 });
      const before = started?.type === "run.started" && isObject(started.input) ? started.input : {};
      const changedInput = request === undefined ? undefined : { ...before, request };
      const flags = [
        ...agents.flatMap((each) => formatFlag("agent", each)),
        ...(changedInput ? ["--input", "@-"] : []),
      ];
      const args = ["run", `--from=${run}:${phase}`, ...flags, "--detach", "--json", "--", row.pipeline];
      return runCommand(store.places.top, args, changedInput);
    },
  };
}

/** Joins flag and value, so that no value can be parsed as a flag. */
function formatFlag(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}

/** An empty form field is treated as missing. */
function formatNote(note: string | undefined): readonly string[] {
  return formatFlag("note", note?.trim() === "" ? undefined : note);
}

function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
