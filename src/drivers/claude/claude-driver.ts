import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Failure } from "../../core/failure/failure.ts";
import type { AgentEvent, DispatchOrder, Driver } from "../../core/ports/driver.ts";
import type { ProcessLimits } from "../../core/ports/processes.ts";
import { type EnvironmentOptions, environmentOf } from "../environment.ts";
import { locateProgram } from "../locate-program.ts";
import { linkLogin } from "../login.ts";
import { knownFailure } from "../reported-failure.ts";
import { adoptTurn, type Program, sessionOfTurn } from "../turn.ts";
import { runTurnWithDeadline } from "../turn-deadline.ts";
import { CLAUDE_VARIABLES } from "./claude-login.ts";
import { createClaudeReader } from "./claude-reader.ts";
import type { ClaudeOrder } from "./conversation.ts";

export type ClaudeOptions = {
  readonly name?: string;
  /** The native program, or the npm package's wrapper. */
  readonly bin?: string;
  /** Used if the dispatch names no model. */
  readonly model?: string;
  /** Tools allowed without asking, besides reading and changing files of its folder. All others are refused. */
  readonly allow?: readonly string[];
  /** How often Claude Code retries a failed request. */
  readonly retries?: number;
  /** The user's `.credentials.json`, for a login instead of a key. Linked, because Claude Code renews it in place. */
  readonly login?: string;
  readonly environment?: EnvironmentOptions;
  readonly limits?: ProcessLimits;
  /** How long the process may run after its result. */
  readonly lingerMs?: number;
};

/**
 * Driver for Anthropic's Claude Code. Each turn runs a client, which starts `claude -p` and exchanges JSON lines with
 * it.
 */
export function createClaudeDriver(options: ClaudeOptions = {}): Driver {
  const agent = options.name ?? "claude";
  return {
    name: agent,
    can: { schema: true, resume: true, cost: true, permissions: true, cancel: true },
    dispatch: (order, processes, signal) => {
      const program = () => createProgram(order, options);
      const reader = createClaudeReader(agent);
      const { limits } = options;
      return runTurnWithDeadline({ agent, order, processes, signal, program, reader, limits }, createLoginCheck(agent));
    },
    adopt: (order, processes) => adoptTurn({ agent, order, processes, reader: createClaudeReader(agent) }),
    session: (order, processes) => sessionOfTurn({ order, processes, reader: createClaudeReader(agent) }),
  };
}

/** Claude Code retries for minutes even after its key was refused. */
function createLoginCheck(agent: string): (event: AgentEvent) => Failure | undefined {
  return (event) => {
    const failure = event.type === "turn.throttled" ? knownFailure(agent, event.message, Date.now()) : undefined;
    return failure?.code === "auth" ? failure : undefined;
  };
}

const CLIENT = locateProgram("client", import.meta.url);

const EXIT_GRACE_MS = 15_000;

const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
};

function createProgram(order: DispatchOrder, options: ClaudeOptions): Program {
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
  const input: ClaudeOrder = { command: bin, args: listArguments(order, options), prompt: order.prompt, lingerMs };
  return { command: process.execPath, args: [CLIENT.file], env, stdin: JSON.stringify(input), programs: [bin] };
}

/** Tools for work on files. The others start jobs, worktrees and helpers that outlive a turn. */
const TOOLS = ["Bash", "Read", "Edit", "Write", "NotebookEdit", "Glob", "Grep", "Task", "WebFetch", "WebSearch"];

function listArguments(order: DispatchOrder, { model, allow = ["Bash"] }: ClaudeOptions): string[] {
  const chosen = order.model ?? model;
  return [
    ...["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
    // A repository's settings contain hooks and servers, which are commands that the user has not approved.
    ...["--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands"],
    // It asks the client before it changes a file or uses a tool that is not allowed here.
    ...["--permission-mode", "default", "--permission-prompt-tool", "stdio", "--tools", TOOLS.join(",")],
    ...(allow.length === 0 ? [] : ["--allowedTools", allow.join(",")]),
    ...(chosen === undefined ? [] : ["--model", chosen]),
    ...(order.schema === undefined ? [] : ["--json-schema", JSON.stringify(order.schema)]),
    ...(order.session === undefined ? [] : ["--resume", order.session]),
  ];
}
