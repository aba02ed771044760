import { SignalboxError } from "../../core/failure/errors.ts";
import { DRIVERS } from "../../drivers/index.ts";
import { listOrigins } from "../../processes/tag/ancestry.ts";
import { resolvePlaces } from "../project/repository.ts";
import { findAttemptFolder } from "./attempt-folder.ts";
import { createOriginCheck } from "./origin-check.ts";

/**
 * Callers of commands. `anyone` only reads, or works where it was told to. An `outsider` is not part of a run: a
 * person, a script, or a person's assistant. Commands for a `person` are closed to agents.
 */
export type Caller = "anyone" | "outsider" | "person";

type CallerRule = {
  readonly who: Caller;
  readonly but?: Readonly<Record<string, Caller>>;
  /** The command affects more than one repository, so a step is refused even in its own repository. */
  readonly beyond?: true;
};

const anyone: CallerRule = { who: "anyone" };
const outsider: CallerRule = { who: "outsider" };
const person: CallerRule = { who: "person" };

/** Raising a limit or trusting code is a decision, whatever the command. */
const LIMITS = { budget: "person", maxTime: "person", maxDispatches: "person", maxTokens: "person" } as const;

/**
 * Permissions of every command and of each `mcp` tool that changes something; `but` lists the flags that change them.
 */
export const CALLER_RULES: Readonly<Record<string, CallerRule>> = {
  init: person,
  doctor: { who: "anyone", but: { ask: "outsider", checks: "outsider", notify: "outsider" } },
  demo: outsider,
  run: { who: "outsider", but: { dryRun: "anyone" } },
  migrate: { who: "person", beyond: true },
  worker: outsider,
  ps: anyone,
  status: anyone,
  events: anyone,
  why: anyone,
  logs: anyone,
  inbox: anyone,
  approve: person,
  reject: person,
  resume: { who: "outsider", but: { ...LIMITS, config: "person" } },
  pause: outsider,
  stop: outsider,
  cancel: outsider,
  land: person,
  revert: person,
  gc: { who: "person", but: { dryRun: "anyone" } },
  gate: anyone,
  sql: anyone,
  evidence: anyone,
  audit: anyone,
  diff: anyone,
  report: anyone,
  // A signature is a person's statement, made with their key.
  attest: { who: "person", beyond: true },
  "verify-statement": anyone,
  mcp: anyone,
  // The link allows answering questions in every repository of the user.
  ui: { who: "person", beyond: true },
  "pipelines list": anyone,
  "pipelines show": anyone,
  "pipelines graph": anyone,
  "pipelines check": anyone,
  "pipelines new": outsider,
  "agents list": anyone,
  "agents check": anyone,
  "config get": anyone,
  "config explain": anyone,
  completion: anyone,
  // Sends notices that were recorded by a caller who may start runs.
  __notices: outsider,
  "mcp run_start": outsider,
  "mcp run_resume": outsider,
  "mcp run_pause": outsider,
  "mcp run_stop": outsider,
  "mcp run_cancel": outsider,
  "mcp dispatch": outsider,
  // The client displays it to its user. Only that it is no step can be checked here.
  "mcp question_answer": outsider,
};

export type CommandCall = {
  readonly command: string;
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly dir: string;
};

/** Throws if the caller is an agent and the command is not for agents. A safeguard where no sandbox enforces it. */
export async function requireCaller(called: CommandCall): Promise<void> {
  const who = getRequiredCaller(called);
  if (who === "anyone") return;
  const marks = [...listOwnMarks(called), ...(who === "person" ? AGENT_MARKS : [])];
  const mark = marks.find((name) => process.env[name]);
  if (mark !== undefined) throw createAgentRefusal(called, `${mark} indicates an agent's environment`);
  await refuseWorkers(called);
  const found = listOrigins();
  if (found.length === 0) return;
  const isOwn = CALLER_RULES[called.command]?.beyond ? () => false : await createOriginCheck(called.dir);
  const origin = found.find((each) => !isOwn(each));
  if (origin === undefined) return;
  const step = origin.cookie === undefined ? "a step of a run" : `the step ${origin.cookie}`;
  throw createAgentRefusal(called, `this process was started by ${step}`);
}

export function getRequiredCaller({ command, flags = {} }: CommandCall): Caller {
  const rule = CALLER_RULES[command];
  if (rule === undefined) throw new Error(`no permission is declared for ${command}`);
  if (flags["trust"] === true) return "person";
  const said = Object.entries(rule.but ?? {}).filter(([flag]) => flags[flag] !== undefined && flags[flag] !== false);
  const who = said[0]?.[1] ?? rule.who;
  // The variable has the same effect as the flag.
  return who !== "anyone" && TRUSTING.has(command) && process.env["SIGNALBOX_TRUST"] === "1" ? "person" : who;
}

/** Commands that run code of the repository. */
const TRUSTING: ReadonlySet<string> = new Set(["run", "resume", "doctor", "worker"]);

/** An agent that fetched a dispatch answers it, also from its folder and with its environment. */
const ANSWERS = "mcp dispatch";

function listOwnMarks({ command }: CommandCall): readonly string[] {
  return command === ANSWERS ? ["SIGNALBOX_COOKIE"] : ["SIGNALBOX_COOKIE", "SIGNALBOX_RUN", "SIGNALBOX_ROLE"];
}

/** An agent that takes work from the mailbox has no step as an ancestor. Its working directory is the only evidence. */
async function refuseWorkers(called: CommandCall): Promise<void> {
  const places = await resolvePlaces(called.dir).catch(() => undefined);
  if (places === undefined || called.command === ANSWERS) return;
  const folder = findAttemptFolder({ places, cwd: process.cwd() });
  if (folder !== undefined) throw createAgentRefusal(called, `it was called from the attempt folder ${folder}`);
}

/** Variables that known agent programs set for their child processes. */
const AGENT_MARKS = [...DRIVERS.flatMap(({ marks }) => marks ?? []), "CURSOR_AGENT"];

function createAgentRefusal({ command }: CommandCall, because: string): SignalboxError {
  return new SignalboxError(
    "AGENT_IN_CHARGE",
    `\`${command}\` cannot be called by agents, and ${because}.`,
    "Ask a person to run it in their own terminal.",
  );
}
