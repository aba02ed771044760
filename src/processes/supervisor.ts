import type { ProcessExit, Processes, ProcessOrder, RunningProcess, StopReason } from "../core/ports/processes.ts";
import type { World } from "../core/ports/world.ts";
import { getBootId } from "../node/process-identity.ts";
import { findMissingInterpreter } from "./interpreter.ts";
import { type LaunchedProcess, launchProcess, parseStatus } from "./launch.ts";
import { readGrowingLines } from "./lines.ts";
import { traceChanges } from "./liveness/changes.ts";
import { measureBusyMs } from "./liveness/cpu.ts";
import { watchGrowth } from "./liveness/growth.ts";
import { watchLimits } from "./liveness/limits.ts";
import { removePlaceholders } from "./sandbox/mount-placeholders.ts";
import { createOpenSandbox, type Sandbox } from "./sandbox/sandbox.ts";
import {
  appendStderr,
  createExit,
  getSpoolFiles,
  measureOutput,
  readBirth,
  readExit,
  readLeader,
  recordStop,
} from "./spool.ts";
import {
  findInnerGroup,
  isSameProcess,
  listCarriers,
  readStartTime,
  sendSignal,
  sweepTagged,
} from "./tag/process-tag.ts";

export type SupervisorOptions = {
  readonly world: World;
  /** How long a process may clean up after SIGTERM. */
  readonly graceMs?: number;
  /** The sandbox for orders with sandbox rules; without it they run unconfined. */
  readonly sandbox?: Sandbox;
};

export function createSupervisor({ world, graceMs = GRACE_MS, sandbox = OPEN_SANDBOX }: SupervisorOptions): Processes {
  const boot = getBootId() || "unknown";
  return {
    confines: sandbox.confines,

    async start(order) {
      const birth = { cookie: order.cookie, boot, startedAt: world.now() };
      const launched = await launchProcess(order, birth, sandbox);
      return superviseProcess({ order, launched, world, graceMs, startedAt: birth.startedAt });
    },

    async remains(spool) {
      const birth = readBirth(spool);
      // After a reboot even a recorded exit may be next to output that was never flushed to disk.
      if (birth === undefined || birth.boot !== boot) return undefined;
      const exit = readExit(spool);
      if (exit === undefined) endLeader(spool, birth.cookie);
      await sweepTagged(birth.cookie, world);
      removePlaceholders(birth.reserved);
      if (exit === undefined) return undefined;
      const ms = Math.max(0, Math.round(exit.at - birth.startedAt));
      return createExit(spool, { ...parseStatus(exit.status), stopped: null, ms });
    },

    intact: (spool) => readBirth(spool)?.boot === boot,

    sweep: (cookie) => sweepTagged(cookie, world),
  };
}

const GRACE_MS = 2_000;
const OPEN_SANDBOX = createOpenSandbox("switched off");

type SupervisionOrder = {
  readonly order: ProcessOrder;
  readonly launched: LaunchedProcess;
  readonly world: World;
  readonly graceMs: number;
  readonly startedAt: number;
};

function superviseProcess({ order, launched, world, graceMs, startedAt }: SupervisionOrder): RunningProcess {
  const { spool, cookie } = order;
  const growth = watchGrowth(spool);
  // Read from the system while the process runs, because it could forge the files in its spool.
  const began = readStartTime(launched.pid);
  const first = Number.isFinite(began) ? began : undefined;
  const ended = new AbortController();
  let stopped: StopReason | null = null;

  const finish = async (): Promise<ProcessExit> => {
    const status = await launched.ended;
    ended.abort();
    const ms = world.now() - startedAt;
    // Excess output also counts if it was printed between two checks.
    if (stopped === null && measureOutput(spool) > (order.limits?.outputBytes ?? Number.POSITIVE_INFINITY)) {
      stopped = "flood";
      recordStop(spool, stopped);
    }
    await sweepTagged(cookie, world, first);
    removePlaceholders(launched.reserved);
    growth.close();
    const exit = createExit(spool, { ...status, stopped, ms });
    const words = stopped === null && status.code ? findMissingInterpreter(exit.stderrTail, order) : undefined;
    if (words === undefined) return exit;
    appendStderr(spool, words);
    return { ...exit, stderrTail: `${exit.stderrTail}${words}\n` };
  };
  const exited = finish();

  // The leader is not reaped before `ended` fires, so its pid cannot be reused.
  const killGroup = (signal: NodeJS.Signals) => {
    if (!ended.signal.aborted) sendSignal(-launched.pid, signal);
  };
  const requestGroupEnd = () => {
    if (!launched.walled) return killGroup("SIGTERM");
    // SIGTERM would kill the sandbox's own process, while the command may take its time. A process that moved to its
    // own group must be ended by the command, with or without a sandbox: the client cancels its agent first.
    const group = findInnerGroup(cookie);
    if (group !== undefined) sendSignal(-group, "SIGTERM");
  };
  const stop = async (reason: StopReason): Promise<void> => {
    if (stopped === null && !ended.signal.aborted) {
      stopped = reason;
      recordStop(spool, reason);
      if (reason !== "flood") {
        requestGroupEnd();
        await world.sleep(graceMs, ended.signal);
      }
      killGroup("SIGKILL");
    }
    await exited;
  };

  if (order.limits) {
    const stopOnLimit = (reason: StopReason) => void stop(reason);
    const signs = {
      busyMs: () => measureBusyMs(order.cookie),
      trace: () => traceChanges(order.cwd, { except: spool }),
    };
    watchLimits({ spool, limits: order.limits, growth, world, ended: ended.signal, stop: stopOnLimit, ...signs });
  }
  // Excess output is not read to its end, because it can no longer count.
  const readOutput = () => readGrowingLines(getSpoolFiles(spool).stdout, growth, () => stopped === "flood");
  return { pid: launched.pid, lines: readOutput, exited, stop };
}

/** Marks the process as stopped first: if the engine dies here too, an exit recorded while dying must not count. */
function endLeader(spool: string, cookie: string): void {
  recordStop(spool, "canceled");
  const leader = readLeader(spool);
  if (leader && isSameProcess(leader) && listCarriers(cookie).includes(leader.pid)) sendSignal(-leader.pid, "SIGKILL");
}
