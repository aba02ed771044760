import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { DispatchOrder, Driver } from "../../core/ports/driver.ts";
import type { ProcessLimits } from "../../core/ports/processes.ts";
import { type EnvironmentOptions, environmentOf } from "../environment.ts";
import { linkLogin } from "../login.ts";
import { adoptTurn, type Program, sessionOfTurn } from "../turn.ts";
import { runTurnWithDeadline } from "../turn-deadline.ts";
import { CODEX_VARIABLES } from "./codex-login.ts";
import { createCodexReader } from "./codex-reader.ts";
import { createWaitCheck } from "./codex-wait-check.ts";
import { readSpentUsage, saveSpentUsage } from "./spent-usage.ts";

export type CodexOptions = {
  readonly name?: string;
  /** The native program is faster than the npm package's wrapper; both work. */
  readonly bin?: string;
  /** Used if the dispatch names no model. */
  readonly model?: string;
  /** Codex's own sandbox for commands; use `none` only if another sandbox contains them. */
  readonly sandbox?: "read-only" | "workspace-write" | "none";
  /** A custom model server with the Responses API, instead of OpenAI's. */
  readonly provider?: CodexProvider;
  /** The user's `auth.json`, for a login instead of a key. Linked, because Codex renews it in place. */
  readonly login?: string;
  readonly environment?: EnvironmentOptions;
  readonly limits?: ProcessLimits;
  /** How long the process may run after its turn is completed. */
  readonly lingerMs?: number;
};

type CodexProvider = {
  readonly url: string;
  /** The environment variable with its key; it must be passed or set in `environment`. */
  readonly keyName?: string;
  /** How often Codex retries. */
  readonly retries?: number;
};

/** Driver for OpenAI's Codex through `codex exec --json`: one process per turn, with the prompt on standard input. */
export function createCodexDriver(options: CodexOptions = {}): Driver {
  const agent = options.name ?? "codex";
  const createReader = (order: DispatchOrder) => createCodexReader(agent, () => readSpentUsage(order));
  return {
    name: agent,
    // Schemas are enforced by the API only, in a subset that refuses common ones, so contracts are read from text.
    can: { schema: false, resume: true, cost: false, permissions: false, cancel: false },
    dispatch: (order, processes, signal) => {
      const program = () => createProgram(order, options);
      const reader = createReader(order);
      const { limits, lingerMs } = options;
      const turn = { agent, order, processes, signal, program, reader, limits, lingerMs };
      return runTurnWithDeadline(turn, createWaitCheck(agent));
    },
    adopt: (order, processes) => adoptTurn({ agent, order, processes, reader: createReader(order) }),
    session: (order, processes) => sessionOfTurn({ order, processes, reader: createReader(order) }),
  };
}

function createProgram(order: DispatchOrder, options: CodexOptions): Program {
  const { bin = "codex", environment = {}, login } = options;
  // Next to TMPDIR, not below it: Codex refuses to store its programs in a temporary folder.
  const home = join(order.home, "codex");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if (login !== undefined) linkLogin(login, join(home, "auth.json"));
  saveSpentUsage(order, home);
  const env = environmentOf(order, {
    ...environment,
    pass: [...CODEX_VARIABLES, ...(environment.pass ?? [])],
    set: { ...environment.set, CODEX_HOME: home },
  });
  const args = listArguments(order, { ...options, ...findCustomServer(options) });
  return { command: bin, args, env, stdin: order.prompt };
}

/**
 * Codex does not see the user's configuration, so a custom server is named by an environment variable, like the key.
 */
function findCustomServer({
  provider,
  environment: { from = process.env } = {},
}: CodexOptions): Pick<CodexOptions, "provider"> {
  const url = from["CODEX_BASE_URL"];
  if (provider || !url) return {};
  return { provider: { url, ...(from["CODEX_API_KEY"] ? { keyName: "CODEX_API_KEY" } : {}) } };
}

function listArguments(order: DispatchOrder, { model, sandbox = "workspace-write", provider }: CodexOptions): string[] {
  const chosen = order.model ?? model;
  return [
    ...["exec", "--json", "--color", "never", "--skip-git-repo-check", "-C", order.cwd],
    ...(sandbox === "none" ? ["--dangerously-bypass-approvals-and-sandbox"] : ["--sandbox", sandbox]),
    ...(chosen === undefined ? [] : ["--model", chosen]),
    // The agent's commands do not need variables named like keys, secrets and tokens.
    ...["-c", "shell_environment_policy.ignore_default_excludes=false"],
    // TMPDIR belongs to the attempt; /tmp contains files of other programs.
    ...["-c", "sandbox_workspace_write.exclude_slash_tmp=true"],
    ...["-c", "analytics.enabled=false"],
    // A repository's settings define servers and hooks, which are commands that the user has not approved.
    ...["-c", `projects={${listFolderNames(order.cwd).map(formatDistrust).join(",")}}`],
    ...(provider === undefined ? [] : listProviderArguments(provider)),
    // A resume carries over the conversation only, so all settings are passed again.
    ...(order.session === undefined ? [] : ["resume", order.session]),
    "-",
  ];
}

/** Codex may know the folder by its resolved path if it contains a symbolic link. */
function listFolderNames(folder: string): readonly string[] {
  return existsSync(folder) ? [...new Set([folder, realpathSync(folder)])] : [folder];
}

// A JSON string is also a TOML string.
const formatDistrust = (folder: string): string => `${JSON.stringify(folder)}={trust_level="untrusted"}`;

function listProviderArguments({ url, keyName, retries }: CodexProvider): string[] {
  // A JSON string is also a TOML string.
  const fields = [
    `name="signalbox"`,
    `wire_api="responses"`,
    `base_url=${JSON.stringify(url)}`,
    ...(keyName === undefined ? [] : [`env_key=${JSON.stringify(keyName)}`]),
    ...(retries === undefined ? [] : [`request_max_retries=${retries}`, `stream_max_retries=${retries}`]),
  ];
  return ["-c", `model_provider="signalbox"`, "-c", `model_providers.signalbox={${fields.join(",")}}`];
}
