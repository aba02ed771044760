import type { ProcessExit, Processes, ProcessOrder, RunningProcess, StopReason } from "../core/ports/processes.ts";
import type { World } from "../core/ports/world.ts";
import { bootId } from "../node/process-identity.ts";
import { missingInterpreter } from "./interpreter.ts";
import { type LaunchedProcess, launch, statusOf } from "./launch.ts";
import { tailLines } from "./lines.ts";
import { traceOf } from "./liveness/changes.ts";
import { busyMs } from "./liveness/cpu.ts";
import { watchGrowth } from "./liveness/growth.ts";
import { watchLimits } from "./liveness/limits.ts";
import { release } from "./sandbox/mount-placeholders.ts";
import { noSandbox, type Sandbox } from "./sandbox/sandbox.ts";
import {
  addWords,
  birthOf,
  exitWithOutput,
  leaderOf,
  outputBytes,
  recordedExit,
  recordStop,
  spoolFiles,
} from "./spool.ts";
import { beganAt, carriers, groupInside, isAlive, kill, sweepTagged } from "./tag/process-tag.ts";

export type SupervisorOptions = {
  readonly world: World;
  /** How long a process may tidy up after SIGTERM. */
  readonly graceMs?: number;
  /** Holds the orders that are to be confined; without it they run like the others. */
  readonly sandbox?: Sandbox;
};

export function supervisor({ world, graceMs = GRACE_MS, sandbox = OPEN }: SupervisorOptions): Processes {
  const boot = bootId() || "unknown";
  return {
    confines: sandbox.confines,

    async start(order) {
      const birth = { cookie: order.cookie, boot, startedAt: world.now() };
      const launched = await launch(order, birth, sandbox);
      return supervise({ order, launched, world, graceMs, startedAt: birth.startedAt });
    },

    async remains(spool) {
      const birth = birthOf(spool);
      // After a restart of the machine even a recorded end may stand beside output that never reached the disk.
      if (birth === undefined || birth.boot !== boot) return undefined;
      const exit = recordedExit(spool);
      if (exit === undefined) endLeader(spool, birth.cookie);
      await sweepTagged(birth.cookie, world);
      release(birth.reserved);
      if (exit === undefined) return undefined;
      const ms = Math.max(0, Math.round(exit.at - birth.startedAt));
      return exitWithOutput(spool, { ...statusOf(exit.status), stopped: null, ms });
    },

    intact: (spool) => birthOf(spool)?.boot === boot,

    sweep: (cookie) => sweepTagged(cookie, world),
  };
}

const GRACE_MS = 2_000;
const OPEN = noSandbox("switched off");

type SupervisionOrder = {
  readonly order: ProcessOrder;
  readonly launched: LaunchedProcess;
  readonly world: World;
  readonly graceMs: number;
  readonly startedAt: number;
};

function supervise({ order, launched, world, graceMs, startedAt }: SupervisionOrder): RunningProcess {
  const { spool, cookie } = order;
  const growth = watchGrowth(spool);
  // Asked of the system while it lives: what lies in the spool it could have written itself.
  const began = beganAt(launched.pid);
  const first = Number.isFinite(began) ? began : undefined;
  const ended = new AbortController();
  let stopped: StopReason | null = null;

  const finish = async (): Promise<ProcessExit> => {
    const status = await launched.ended;
    ended.abort();
    const ms = world.now() - startedAt;
    // Too much is too much, also when it was printed between two looks.
    if (stopped === null && outputBytes(spool) > (order.limits?.outputBytes ?? Number.POSITIVE_INFINITY)) {
      stopped = "flood";
      recordStop(spool, stopped);
    }
    await sweepTagged(cookie, world, first);
    release(launched.reserved);
    growth.close();
    const exit = exitWithOutput(spool, { ...status, stopped, ms });
    const words = stopped === null && status.code ? missingInterpreter(exit.stderrTail, order) : undefined;
    if (words === undefined) return exit;
    addWords(spool, words);
    return { ...exit, stderrTail: `${exit.stderrTail}${words}\n` };
  };
  const exited = finish();

  // Until `ended` fires the leader has not been collected, so its number cannot belong to anybody else.
  const signalGroup = (signal: NodeJS.Signals) => {
    if (!ended.signal.aborted) kill(-launched.pid, signal);
  };
  const requestEnd = () => {
    if (!launched.walled) return signalGroup("SIGTERM");
    // What holds the walls would die of a request that the command may take its time with. Whoever has moved to a
    // group of his own is the command's to end, inside walls as outside: an agent is canceled by its client first.
    const group = groupInside(cookie);
    if (group !== undefined) kill(-group, "SIGTERM");
  };
  const stop = async (reason: StopReason): Promise<void> => {
    if (stopped === null && !ended.signal.aborted) {
      stopped = reason;
      recordStop(spool, reason);
      if (reason !== "flood") {
        requestEnd();
        await world.sleep(graceMs, ended.signal);
      }
      signalGroup("SIGKILL");
    }
    await exited;
  };

  if (order.limits) {
    const onLimit = (reason: StopReason) => void stop(reason);
    const signs = { busyMs: () => busyMs(order.cookie), trace: () => traceOf(order.cwd, { except: spool }) };
    watchLimits({ spool, limits: order.limits, growth, world, ended: ended.signal, stop: onLimit, ...signs });
  }
  // What was too much is not read to its end: nothing that it says can count any more.
  const lines = () => tailLines(spoolFiles(spool).stdout, growth, () => stopped === "flood");
  return { pid: launched.pid, lines, exited, stop };
}

/** Marks it as stopped first: if we die here too, what it records while dying is no end of its own. */
function endLeader(spool: string, cookie: string): void {
  recordStop(spool, "canceled");
  const leader = leaderOf(spool);
  if (leader && isAlive(leader) && carriers(cookie).includes(leader.pid)) kill(-leader.pid, "SIGKILL");
}
