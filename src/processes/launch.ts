import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { SignalboxError } from "../core/failure/errors.ts";
import type { ProcessOrder } from "../core/ports/processes.ts";
import { makeOwnFolder } from "../node/own-folder.ts";
import { closeInheritedFor } from "./sandbox/descriptors.ts";
import { createPlaceholders } from "./sandbox/mount-placeholders.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { type BirthRecord, getSpoolFiles, recordBirth } from "./spool.ts";
import { LEADER_MARK, MARK_DESCENDANTS } from "./tag/ancestry.ts";
import { TAG_VARIABLE } from "./tag/process-tag.ts";

/**
 * The process group leader: a shell that outlives the command long enough to record its exit code, because the engine
 * may be gone by then. It uses only built-ins, so it needs no extra process. Arguments are never part of the script
 * text. `exec` keeps a command named like a built-in from running the built-in. The traps keep the leader (and the
 * group id) alive until the command has handled a signal, and the command does not inherit them.
 * With a lifeline it first starts a watcher that reads from the engine until the pipe closes and then kills the group.
 * A parent-death signal could arrive before a process has requested it; a closed pipe stays closed.
 */
const LEADER = `${LEADER_MARK}
${MARK_DESCENDANTS}
if [ -n "$2" ]; then
  ( read -r SIGNALBOX_NEVER <&3; kill -KILL 0 ) &
  SIGNALBOX_WATCHER=$!
  exec 3<&-
fi
SIGNALBOX_LEADER=$$
[ -r /proc/$$/stat ] && read -r SIGNALBOX_LEADER < /proc/$$/stat
printf '%s\\n' "$SIGNALBOX_LEADER" > "$1/leader"
trap : TERM INT HUP
( shift 2; exec "$@" )
set -- "$1" "$?"
[ -z "$SIGNALBOX_WATCHER" ] || { exec 2> /dev/null; kill -KILL "$SIGNALBOX_WATCHER"; }
printf '%s\\n' "$2" > "$1/exit"
exit "$2"
`;

export type LaunchedProcess = {
  readonly pid: number;
  readonly ended: Promise<ExitStatus>;
  /** Folders created for its sandbox. */
  readonly reserved: readonly string[];
  /** True if it has its own process namespace, which ends with this process. */
  readonly walled: boolean;
};
export type ExitStatus = { readonly code: number | null; readonly signal: string | null };

export async function launchProcess(
  order: ProcessOrder,
  birth: Omit<BirthRecord, "reserved">,
  sandbox: Sandbox,
): Promise<LaunchedProcess> {
  try {
    return await startLeader(order, birth, sandbox);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SignalboxError(
      "DISK_FAILED",
      `Could not start ${order.command} in ${order.cwd}: ${why}.`,
      `Check that the folder and the spool ${order.spool} exist and that the disk has free space.`,
      { cause },
    );
  }
}

async function startLeader(
  order: ProcessOrder,
  birth: Omit<BirthRecord, "reserved">,
  sandbox: Sandbox,
): Promise<LaunchedProcess> {
  const files = getSpoolFiles(order.spool);
  makeOwnFolder(order.spool);
  const reserved = order.sandboxRules && sandbox.confines.files ? createPlaceholders(order.sandboxRules) : [];
  recordBirth(order.spool, { ...birth, reserved });
  if (order.stdin !== undefined) writeFileSync(files.stdin, order.stdin, { mode: 0o600 });
  const walled = order.sandboxRules !== undefined && sandbox.confines.processes;
  const streams = [
    openSync(order.stdin === undefined ? "/dev/null" : files.stdin, "r"),
    openSync(files.stdout, "w"),
    openSync(files.stderr, "w"),
  ];
  try {
    const { command, env } = closeInheritedFor(wrapCommand(order, sandbox), order.env);
    const child = spawn("/bin/sh", ["-c", LEADER, "signalbox", order.spool, walled ? "lifeline" : "", ...command], {
      cwd: order.cwd,
      env: { ...env, [TAG_VARIABLE]: order.cookie },
      detached: true,
      shell: false,
      stdio: walled ? [...streams, "pipe"] : streams,
    });
    // Never written to; it closes when this process ends.
    child.stdio[3]?.on("error", () => undefined);
    return { ...(await awaitSpawn(child)), reserved, walled };
  } finally {
    for (const stream of streams) closeSync(stream);
  }
}

/** The leader stays outside the sandbox, so that the command cannot write its exit record. */
function wrapCommand(order: ProcessOrder, sandbox: Sandbox): readonly string[] {
  const walls = order.sandboxRules === undefined ? [] : sandbox.around(order, order.sandboxRules);
  return [...walls, order.command, ...order.args];
}

function awaitSpawn(child: ChildProcess): Promise<Pick<LaunchedProcess, "pid" | "ended">> {
  const ended = new Promise<ExitStatus>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal === null ? parseStatus(code ?? 0) : { code: null, signal }));
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => resolve({ pid: child.pid ?? 0, ended }));
  });
}

const DEADLY = [
  "HUP",
  "INT",
  "QUIT",
  "ILL",
  "TRAP",
  "ABRT",
  "BUS",
  "FPE",
  "KILL",
  "SEGV",
  "PIPE",
  "TERM",
  "XCPU",
  "XFSZ",
];

/**
 * A shell reports a death by signal n as 128 + n. Applies only to signals that programs really die of, because some
 * agents use exit codes above 128.
 */
export function parseStatus(status: number): ExitStatus {
  const numbers: Partial<Record<string, number>> = constants.signals;
  const signal = DEADLY.map((name) => `SIG${name}`).find((name) => numbers[name] === status - 128);
  return signal === undefined ? { code: status, signal: null } : { code: null, signal };
}
