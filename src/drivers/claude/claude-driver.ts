import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Failure } from "../../core/failure/failure.ts";
import type { AgentEvent, DispatchOrder, Driver } from "../../core/ports/driver.ts";
import type { ProcessLimits } from "../../core/ports/processes.ts";
import { type EnvironmentOptions, environmentOf } from "../environment.ts";
import { runTurnWithDeadline } from "../give-up-early.ts";
import { linkLogin } from "../login.ts";
import { ownProgram } from "../own-program.ts";
import { knownFailure } from "../said-failure.ts";
import { adoptTurn, type Program, sessionOfTurn } from "../turn.ts";
import { CLAUDE_VARIABLES } from "./claude-login.ts";
import { claudeReader } from "./claude-reader.ts";
import type { ClaudeOrder } from "./conversation.ts";

export type ClaudeOptions = {
  readonly name?: string;
  /** The native program, or the package's wrapper around it. */
  readonly bin?: string;
  /** Where the dispatch names no model. */
  readonly model?: string;
  /** What it may do unasked beside reading and changing files of its folder; anything else is refused. */
  readonly allow?: readonly string[];
  /** How often Claude Code itself repeats a failed request. */
  readonly retries?: number;
  /** The user's `.credentials.json`, for a login instead of a key. Linked, because Claude Code renews it in place. */
  readonly login?: string;
  readonly environment?: EnvironmentOptions;
  readonly limits?: ProcessLimits;
  /** How long it may stay after its result. */
  readonly lingerMs?: number;
};

/** Anthropic's Claude Code: one client, which starts `claude -p` and speaks with it in both directions, per turn. */
export function claudeDriver(options: ClaudeOptions = {}): Driver {
  const agent = options.name ?? "claude";
  return {
    name: agent,
    can: { schema: true, resume: true, cost: true, permissions: true, cancel: true },
    dispatch: (order, processes, signal) => {
      const program = () => programOf(order, options);
      const reader = claudeReader(agent);
      const { limits } = options;
      return runTurnWithDeadline({ agent, order, processes, signal, program, reader, limits }, lockedOut(agent));
    },
    adopt: (order, processes) => adoptTurn({ agent, order, processes, reader: claudeReader(agent) }),
    session: (order, processes) => sessionOfTurn({ order, processes, reader: claudeReader(agent) }),
  };
}

/** It repeats even a request that was refused for its key, for minutes. */
function lockedOut(agent: string): (event: AgentEvent) => Failure | undefined {
  return (event) => {
    const failure = event.type === "turn.throttled" ? knownFailure(agent, event.message, Date.now()) : undefined;
    return failure?.code === "auth" ? failure : undefined;
  };
}

const CLIENT = ownProgram("client", import.meta.url);

const EXIT_GRACE_MS = 15_000;

const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
};

function programOf(order: DispatchOrder, options: ClaudeOptions): Program {
  const { bin = "claude", environment = {}, login, retries, lingerMs = EXIT_GRACE_MS } = options;
  const home = join(order.home, "claude");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if (login !== undefined) linkLogin(login, join(home, ".credentials.json"));
  const env = environmentOf(order, {
    ...environment,
    pass: [...CLAUDE_VARIABLES, ...(environment.pass ?? [])],
    set: {
      ...QUIET,
      ...(retries === undefined ? {} : { CLAUDE_CODE_MAX_RETRIES: String(retries) }),
      ...environment.set,
      CLAUDE_CONFIG_DIR: home,
      ...CLIENT.env,
    },
  });
  const told: ClaudeOrder = { command: bin, args: argumentsOf(order, options), prompt: order.prompt, lingerMs };
  return { command: process.execPath, args: [CLIENT.file], env, stdin: JSON.stringify(told), programs: [bin] };
}

/** For work on files; the others start jobs, worktrees and helpers that outlive a turn. */
const TOOLS = ["Bash", "Read", "Edit", "Write", "NotebookEdit", "Glob", "Grep", "Task", "WebFetch", "WebSearch"];

function argumentsOf(order: DispatchOrder, { model, allow = ["Bash"] }: ClaudeOptions): string[] {
  const chosen = order.model ?? model;
  return [
    ...["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
    // A repository's settings hold hooks and servers, which are commands that nobody here has agreed to.
    ...["--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands"],
    // It asks the client before it changes a file or does anything that is not allowed here.
    ...["--permission-mode", "default", "--permission-prompt-tool", "stdio", "--tools", TOOLS.join(",")],
    ...(allow.length === 0 ? [] : ["--allowedTools", allow.join(",")]),
    ...(chosen === undefined ? [] : ["--model", chosen]),
    ...(order.schema === undefined ? [] : ["--json-schema", JSON.stringify(order.schema)]),
    ...(order.session === undefined ? [] : ["--resume", order.session]),
  ];
}
