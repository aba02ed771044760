import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type DispatchOrder, HOME_FOLDERS } from "../core/ports/driver.ts";

export type EnvironmentOptions = {
  /** The environment that passed variables are read from. */
  readonly from?: Readonly<Record<string, string | undefined>>;
  /** Variables that this agent needs beyond the common ones, such as its key or proxy. */
  readonly pass?: readonly string[];
  /** Variables that the driver sets; they take precedence. */
  readonly set?: Readonly<Record<string, string>>;
};

/** Builds the whole environment of an agent from an allow-list, and creates the folders that it names. */
export function environmentOf(order: DispatchOrder, options: EnvironmentOptions = {}): Record<string, string> {
  const { from = process.env, pass = [], set = {} } = options;
  // The engine's own variables, such as the address of a team's database, are never passed on.
  const named = pass.filter((name) => !name.startsWith("SIGNALBOX_"));
  const passed = [...COMMON_VARIABLES, ...named].flatMap((name) => {
    const value = from[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    ...Object.fromEntries(passed),
    TERM: "dumb",
    NO_COLOR: "1",
    ...createHomeFolders(order.home),
    ...listDispatchVariables(order),
    ...set,
  };
}

const COMMON_VARIABLES = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ"];

/** Agents leave caches, sockets and libraries in these folders; below the attempt's home they are removed with it. */
function createHomeFolders(home: string): Record<string, string> {
  const below = Object.entries(HOME_FOLDERS).map(([name, folder]) => [name, join(home, folder)] as const);
  const folders = { HOME: home, ...Object.fromEntries(below) };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folders;
}

/** Variables that tell an agent and its child processes which dispatch this is. */
export function listDispatchVariables(order: DispatchOrder): Record<string, string> {
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
