import { SignalboxError } from "../../core/failure/errors.ts";
import { DRIVERS } from "../../drivers/index.ts";
import { origins } from "../../processes/tag/ancestry.ts";
import { placesOf } from "../project/repository.ts";
import { attemptFolderOf } from "./attempt-folder.ts";
import { ownPlaces } from "./own-place.ts";

/**
 * Who may call a command. `anyone` looks, or works where it was told to. An `outsider` is not part of a run: a person,
 * a script, an assistant that a person talks to. What a `person` decides no agent decides.
 */
export type Caller = "anyone" | "outsider" | "person";

type Rule = {
  readonly who: Caller;
  readonly but?: Readonly<Record<string, Caller>>;
  /** It does more than what concerns the one repository: a step is refused also where that is its own. */
  readonly beyond?: true;
};

const anyone: Rule = { who: "anyone" };
const outsider: Rule = { who: "outsider" };
const person: Rule = { who: "person" };

/** Whoever raises a limit or says yes for a call decides, whatever the command is. */
const LIMITS = { budget: "person", maxTime: "person", maxDispatches: "person", maxTokens: "person" } as const;

/** Every command and every tool of `mcp` that does not only look; `but` names the flags that change it. */
export const MAY_CALL: Readonly<Record<string, Rule>> = {
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
  // A signature is a person's word, and made with the person's key.
  attest: { who: "person", beyond: true },
  "verify-statement": anyone,
  mcp: anyone,
  // Whoever has its link can answer questions, in every repository of the person.
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
  // It sends what somebody who may start runs has had recorded.
  __notices: outsider,
  "mcp run_start": outsider,
  "mcp run_resume": outsider,
  "mcp run_pause": outsider,
  "mcp run_stop": outsider,
  "mcp run_cancel": outsider,
  "mcp dispatch": outsider,
  // The client shows it to its person. That it is no step is all that can be known from here.
  "mcp question_answer": outsider,
};

export type CommandCall = {
  readonly command: string;
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly dir: string;
};

/** Throws where the caller is an agent and this is not for agents: a guard rail where no sandbox is the wall. */
export async function requireCaller(called: CommandCall): Promise<void> {
  const who = callerFor(called);
  if (who === "anyone") return;
  const marks = [...ownMarks(called), ...(who === "person" ? AGENT_MARKS : [])];
  const mark = marks.find((name) => process.env[name]);
  if (mark !== undefined) throw refused(called, `${mark} says that this is an agent's environment`);
  await refuseWorkers(called);
  const found = origins();
  if (found.length === 0) return;
  const isOwn = MAY_CALL[called.command]?.beyond ? () => false : await ownPlaces(called.dir);
  const origin = found.find((each) => !isOwn(each));
  if (origin === undefined) return;
  const step = origin.cookie === undefined ? "a step of a run" : `the step ${origin.cookie}`;
  throw refused(called, `this process was started by ${step}`);
}

export function callerFor({ command, flags = {} }: CommandCall): Caller {
  const rule = MAY_CALL[command];
  if (rule === undefined) throw new Error(`nobody said who may call ${command}`);
  if (flags["trust"] === true) return "person";
  const said = Object.entries(rule.but ?? {}).filter(([flag]) => flags[flag] !== undefined && flags[flag] !== false);
  const who = said[0]?.[1] ?? rule.who;
  // The variable is the same yes as the flag.
  return who !== "anyone" && TRUSTING.has(command) && process.env["SIGNALBOX_TRUST"] === "1" ? "person" : who;
}

/** Commands that run what a repository brings. */
const TRUSTING: ReadonlySet<string> = new Set(["run", "resume", "doctor", "worker"]);

/** Whoever fetched a dispatch answers it, also from its folder and with the environment that came with it. */
const ANSWERS = "mcp dispatch";

function ownMarks({ command }: CommandCall): readonly string[] {
  return command === ANSWERS ? ["SIGNALBOX_COOKIE"] : ["SIGNALBOX_COOKIE", "SIGNALBOX_RUN", "SIGNALBOX_ROLE"];
}

/** Who fetched his work from the mailbox descends from no step; where he stands is what can be known of him. */
async function refuseWorkers(called: CommandCall): Promise<void> {
  const places = await placesOf(called.dir).catch(() => undefined);
  if (places === undefined || called.command === ANSWERS) return;
  const folder = attemptFolderOf({ places, cwd: process.cwd() });
  if (folder !== undefined) throw refused(called, `this was called from an attempt's folder, ${folder}`);
}

/** What the agent programs that we know put into the environment of what they start. */
const AGENT_MARKS = [...DRIVERS.flatMap(({ marks }) => marks ?? []), "CURSOR_AGENT"];

function refused({ command }: CommandCall, because: string): SignalboxError {
  return new SignalboxError(
    "AGENT_IN_CHARGE",
    `\`${command}\` is not for agents, and ${because}.`,
    "Let a person do it from a terminal of their own.",
  );
}
