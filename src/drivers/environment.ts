import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type DispatchOrder, HOME_FOLDERS } from "../core/ports/driver.ts";

export type EnvironmentOptions = {
  /** Where passed variables come from. */
  readonly from?: Readonly<Record<string, string | undefined>>;
  /** Names that this agent needs beyond the common ones: its key, its proxy. */
  readonly pass?: readonly string[];
  /** Variables of the driver's own making; they win. */
  readonly set?: Readonly<Record<string, string>>;
};

/** The whole environment of an agent, by allow-list; also makes the folders that it names. */
export function environmentOf(order: DispatchOrder, options: EnvironmentOptions = {}): Record<string, string> {
  const { from = process.env, pass = [], set = {} } = options;
  // The engine's own, such as the address of a team's database, are nobody's to pass on.
  const named = pass.filter((name) => !name.startsWith("SIGNALBOX_"));
  const passed = [...PASSED, ...named].flatMap((name) => {
    const value = from[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    ...Object.fromEntries(passed),
    TERM: "dumb",
    NO_COLOR: "1",
    ...foldersOf(order.home),
    ...dispatchOf(order),
    ...set,
  };
}

const PASSED = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ"];

/** Agents leave caches, sockets and whole libraries in these; below the attempt's home they go away with it. */
function foldersOf(home: string): Record<string, string> {
  const below = Object.entries(HOME_FOLDERS).map(([name, folder]) => [name, join(home, folder)] as const);
  const folders = { HOME: home, ...Object.fromEntries(below) };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folders;
}

/** What tells an agent, and what it starts, which dispatch this is. */
export function dispatchOf(order: DispatchOrder): Record<string, string> {
  return {
    SIGNALBOX_RUN: order.run,
    SIGNALBOX_PIPELINE: order.pipeline,
    SIGNALBOX_PHASE: order.phase,
    SIGNALBOX_ROLE: order.role,
    SIGNALBOX_INSTANCE: order.instance,
    SIGNALBOX_TASK: order.task,
    SIGNALBOX_ROUND: String(order.round),
    SIGNALBOX_ATTEMPT: String(order.attempt),
    ...order.variables,
  };
}
