import type { Limits } from "../../../core/budget/budget.ts";
import type { RunConfig } from "../../../core/journal/run-config.ts";
import type { RunRow, Signal } from "../../../core/ports/host.ts";
import type { SandboxMode } from "../../../processes/sandbox/sandbox.ts";
import type { AgentFlags } from "../../agents/agents.ts";
import type { Call } from "../../call.ts";
import { type LimitFlags, parseLimits } from "../../project/limits.ts";
import type { Settings } from "../../project/settings.ts";
import { requireApprover } from "../../team/approvers.ts";
import { getPersonName } from "../../team/person.ts";
import { compareConfig, requireChecksUnchanged } from "../compare-config.ts";
import { foldRun } from "../fold-run.ts";
import { formatEarlierAnswer } from "../questions/already-answered.ts";
import type { RunStore } from "../run-store.ts";

export type ResumeFlags = LimitFlags &
  AgentFlags & {
    readonly note?: string;
    readonly trust?: boolean;
    readonly sandbox?: SandboxMode;
    readonly detach?: boolean;
    /** Wait for answers to open questions, even without a terminal. */
    readonly wait?: boolean;
    /** Use the current configuration from now on. */
    readonly config?: boolean;
    readonly reporter?: readonly string[];
  };

type ResumeInputs = Pick<RunStore, "host" | "world" | "team">;

/** Posts the resume message, if there is anything to say. */
export async function sendResume(call: Call, inputs: ResumeInputs, resumed: ResumeRequest): Promise<void> {
  const { row, flags, settings } = resumed;
  const limits = resolveNewLimits(flags, settings.limits);
  const config = await resolveConfigChange(call, inputs, resumed);
  if (config && inputs.team) requireApprover(inputs.team.store.role, inputs.team.approvers);
  if (!limits && !config && !NEEDS_MESSAGE.has(row.status)) return;
  const note = flags.note === undefined ? {} : { note: flags.note };
  const content = { ...note, ...(limits ? { limits } : {}), ...(config ? { config } : {}) };
  await postResume(call, inputs, row, { kind: "resume", by: getPersonName(inputs), ...content });
}

type ResumeRequest = {
  readonly row: RunRow;
  readonly settings: Settings;
  readonly flags: ResumeFlags;
};

/**
 * Returns the current configuration if it differs and `--config` is given. Otherwise prints the differences and keeps
 * the old one.
 */
async function resolveConfigChange(
  call: Call,
  { host }: ResumeInputs,
  { row, settings, flags }: ResumeRequest,
): Promise<RunConfig | undefined> {
  const changed = await compareConfig(host, row.id, settings);
  if (changed.changes.length === 0) return undefined;
  if (flags.config) requireChecksUnchanged(row.id, await foldRun(host, row.id), changed);
  const what = flags.config ? "applied from the configuration" : "the configuration has changed since the run started";
  for (const line of call.json ? [] : [`${what}:`, ...changed.changes.map((each) => `  ${each}`)])
    call.print(call.paint.yellow(line));
  if (flags.config) return changed.config;
  if (!call.json)
    call.print(`  the run keeps its configuration; to use the new one: signalbox resume ${row.id} --config`);
  return undefined;
}

type ResumeSignal = Extract<Signal, { kind: "resume" }>;

/** Reports who resumed a paused run first. New limits are posted in any case. */
async function postResume(call: Call, { host, world }: ResumeInputs, row: RunRow, signal: ResumeSignal): Promise<void> {
  const open = row.status === "paused" ? (await foldRun(host, row.id)).open : [];
  const pause = open.find((approval) => approval.pause);
  const earlier = await host.inbox.post(row.id, pause ? { ...signal, approval: pause.approval } : signal);
  if (!earlier) return;
  if (!call.json) call.print(call.paint.dim(formatEarlierAnswer(earlier, world.now())));
  if (signal.limits || signal.config) await host.inbox.post(row.id, signal);
}

/** Limits of phases and roles have no flags; the configuration's current values apply. */
function resolveNewLimits(flags: LimitFlags, { phases, roles }: Limits): Limits | undefined {
  const content = { ...parseLimits(flags), ...(phases ? { phases } : {}), ...(roles ? { roles } : {}) };
  return Object.keys(content).length > 0 ? content : undefined;
}

/** Statuses set by a rule or a limit: only a message from a person lets the run continue. */
const NEEDS_MESSAGE: ReadonlySet<string> = new Set(["paused", "budget", "time"]);
