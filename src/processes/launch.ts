import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { SignalboxError } from "../core/errors.ts";
import type { ProcessOrder } from "../core/ports/processes.ts";
import { COOKIE } from "./cookie.ts";
import { reserve } from "./reserved.ts";
import type { Sandbox } from "./sandbox.ts";
import { type Birth, recordBirth, spoolFiles } from "./spool.ts";

/**
 * The group's leader: a shell that outlives the command just long enough to record how it ended, because the
 * engine may be gone by then. Everything is a built-in, so it costs no process of its own; arguments are never
 * part of the text; `exec` keeps a command named like a built-in from being one; the traps keep the leader (and
 * so the group's number) until the command has reacted to a signal, and are not inherited by it. On a
 * leash it dies with the engine; one that was put on after the engine had gone would hold nothing, so it leaves.
 */
const LEADER = `
[ -z "$2" ] || [ "$PPID" = "$2" ] || exit 1
SIGNALBOX_LEADER=$$
[ -r /proc/$$/stat ] && read -r SIGNALBOX_LEADER < /proc/$$/stat
printf '%s\\n' "$SIGNALBOX_LEADER" > "$1/leader"
trap : TERM INT HUP
( shift 2; exec "$@" )
set -- "$1" "$?"
printf '%s\\n' "$2" > "$1/exit"
exit "$2"
`;

export type Launched = {
  readonly pid: number;
  readonly ended: Promise<Status>;
  /** Folders made for its sandbox. */
  readonly reserved: readonly string[];
};
export type Status = { readonly code: number | null; readonly signal: string | null };

export async function launch(order: ProcessOrder, birth: Omit<Birth, "reserved">, sandbox: Sandbox): Promise<Launched> {
  try {
    return await leaderOn(order, birth, sandbox);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SignalboxError(
      "DISK_FAILED",
      `processes: ${order.command} could not be started in ${order.cwd}: ${why}.`,
      `Check that the folder and the spool ${order.spool} exist and that the disk has room.`,
      { cause },
    );
  }
}

async function leaderOn(order: ProcessOrder, birth: Omit<Birth, "reserved">, sandbox: Sandbox): Promise<Launched> {
  const files = spoolFiles(order.spool);
  mkdirSync(order.spool, { recursive: true, mode: 0o700 });
  const reserved = order.confine && sandbox.confines.files ? reserve(order.confine) : [];
  recordBirth(order.spool, { ...birth, reserved });
  if (order.stdin !== undefined) writeFileSync(files.stdin, order.stdin, { mode: 0o600 });
  const streams = [
    openSync(order.stdin === undefined ? "/dev/null" : files.stdin, "r"),
    openSync(files.stdout, "w"),
    openSync(files.stderr, "w"),
  ];
  try {
    const [program, ...args] = commandLine(order, sandbox);
    const child = spawn(program, args, {
      cwd: order.cwd,
      env: { ...order.env, [COOKIE]: order.cookie },
      detached: true,
      shell: false,
      stdio: streams,
    });
    return { ...(await started(child)), reserved };
  } finally {
    for (const stream of streams) closeSync(stream);
  }
}

/** The leader stays outside the sandbox: what it records of the end is not for the command to write. */
function commandLine(order: ProcessOrder, sandbox: Sandbox): [string, ...string[]] {
  const command = [order.command, ...order.args];
  const leader = ["-c", LEADER, "signalbox", order.spool] as const;
  if (order.confine === undefined) return ["/bin/sh", ...leader, "", ...command];
  const [first = "/bin/sh", ...rest] = [...sandbox.leash, "/bin/sh"];
  const engine = sandbox.leash.length > 0 ? String(process.pid) : "";
  return [first, ...rest, ...leader, engine, ...sandbox.around(order, order.confine), ...command];
}

function started(child: ChildProcess): Promise<Omit<Launched, "reserved">> {
  const ended = new Promise<Status>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal === null ? statusOf(code ?? 0) : { code: null, signal }));
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
 * A shell reports a death by signal n as 128 + n. Only signals that programs really die of are read that way:
 * some agents leave with codes above 128 of their own making.
 */
export function statusOf(status: number): Status {
  const numbers: Partial<Record<string, number>> = constants.signals;
  const signal = DEADLY.map((name) => `SIG${name}`).find((name) => numbers[name] === status - 128);
  return signal === undefined ? { code: status, signal: null } : { code: null, signal };
}
