import type { Json } from "../../core/text/json.ts";
import type { RunControl } from "../../surfaces/server/port/port.ts";
import { ownCommand } from "../start/own-command.ts";
import type { RunFinder } from "./find-here.ts";
import { repositoryHere } from "./find-here.ts";
import type { Stores } from "./stores.ts";

type ControlParts = { readonly stores: Stores; readonly find: RunFinder; changed(): void };

/**
 * Runs each action as a separate process of the command itself, so that code, errors and permission checks are the
 * same.
 */
export function runControl({ stores, find, changed }: ControlParts): RunControl {
  const command = async (top: string, args: readonly string[], input?: Json) => {
    try {
      return await ownCommand({ top, args, ...(input === undefined ? {} : { input }) });
    } finally {
      changed();
    }
  };
  const ofRun = async (run: string, args: readonly string[], ...more: readonly string[]) => {
    const { store } = await find(run);
    return command(store.places.top, [...args, "--json", "--", run, ...more]);
  };
  return {
    async start({ repository, pipeline, request, input = {}, approvals, budget, agents = [] }) {
      const { top } = await repositoryHere(stores, repository);
      const named = agents.flatMap((each) => flag("agent", each));
      const flags = [...flag("approvals", approvals), ...flag("budget", budget), ...named];
      const given = { ...input, ...(request === undefined ? {} : { request }) };
      return command(top, ["run", "--input", "@-", ...flags, "--detach", "--json", "--", pipeline], given);
    },
    resume: (run, { budget, maxTime }) =>
      ofRun(run, ["resume", ...flag("budget", budget), ...flag("max-time", maxTime), "--detach"]),
    cancel: (run, note) => ofRun(run, ["cancel", ...words(note)]),
    pause: (run, note) => ofRun(run, ["pause", ...words(note)]),
    stop: (run, { effect, note }) => ofRun(run, ["stop", ...words(note)], effect),
    land: (run) => ofRun(run, ["land"]),
    revert: (run) => ofRun(run, ["revert"]),
    async fork(run, { phase, request, agents = [] }) {
      const { store, row } = await find(run);
      const [started] = await store.host.journal.page(run, { after: 0, most: 1 });
      const before = started?.type === "run.started" && isObject(started.input) ? started.input : {};
      const said = request === undefined ? undefined : { ...before, request };
      const flags = [...agents.flatMap((each) => flag("agent", each)), ...(said ? ["--input", "@-"] : [])];
      const args = ["run", `--from=${run}:${phase}`, ...flags, "--detach", "--json", "--", row.pipeline];
      return command(store.places.top, args, said);
    },
  };
}

/** Joins flag and value, so that no value can be parsed as a flag. */
function flag(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}

/** An empty form field is treated as missing. */
function words(note: string | undefined): readonly string[] {
  return flag("note", note?.trim() === "" ? undefined : note);
}

function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
