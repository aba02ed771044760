import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { DispatchOrder, Driver } from "../../core/ports/driver.ts";
import type { ProcessLimits } from "../../core/ports/processes.ts";
import { type EnvironmentOptions, environmentOf } from "../environment.ts";
import { runTurnWithDeadline } from "../give-up-early.ts";
import { linkLogin } from "../login.ts";
import { adoptTurn, type Program, sessionOfTurn } from "../turn.ts";
import { CODEX_VARIABLES } from "./codex-login.ts";
import { endlessWait } from "./codex-patience.ts";
import { codexReader } from "./codex-reader.ts";
import { noteSpent, spentBefore } from "./spent-before.ts";

export type CodexOptions = {
  readonly name?: string;
  /** The native program is faster than the package's wrapper; both work. */
  readonly bin?: string;
  /** Where the dispatch names no model. */
  readonly model?: string;
  /** What Codex itself keeps its commands to; `none` only where something else contains them. */
  readonly sandbox?: "read-only" | "workspace-write" | "none";
  /** A model of one's own instead of OpenAI's: any server of the Responses API. */
  readonly provider?: CodexProvider;
  /** The user's `auth.json`, for a login instead of a key. Linked, because Codex renews it in place. */
  readonly login?: string;
  readonly environment?: EnvironmentOptions;
  readonly limits?: ProcessLimits;
  /** How long it may stay after its turn is completed. */
  readonly lingerMs?: number;
};

type CodexProvider = {
  readonly url: string;
  /** The environment variable that holds its key; it must be passed or set in `environment`. */
  readonly keyName?: string;
  /** How often Codex itself tries again. */
  readonly retries?: number;
};

/** OpenAI's Codex through `codex exec --json`: one process per turn, prompt on standard input. */
export function codexDriver(options: CodexOptions = {}): Driver {
  const agent = options.name ?? "codex";
  const readerOf = (order: DispatchOrder) => codexReader(agent, () => spentBefore(order));
  return {
    name: agent,
    // A schema is enforced by the API alone, in a subset that refuses ordinary ones, so contracts are read from text.
    can: { schema: false, resume: true, cost: false, permissions: false, cancel: false },
    dispatch: (order, processes, signal) => {
      const program = () => programOf(order, options);
      const reader = readerOf(order);
      const { limits, lingerMs } = options;
      const turn = { agent, order, processes, signal, program, reader, limits, lingerMs };
      return runTurnWithDeadline(turn, endlessWait(agent));
    },
    adopt: (order, processes) => adoptTurn({ agent, order, processes, reader: readerOf(order) }),
    session: (order, processes) => sessionOfTurn({ order, processes, reader: readerOf(order) }),
  };
}

function programOf(order: DispatchOrder, options: CodexOptions): Program {
  const { bin = "codex", environment = {}, login } = options;
  // Beside TMPDIR, never below it: Codex refuses to keep its own programs in a temporary folder.
  const home = join(order.home, "codex");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if (login !== undefined) linkLogin(login, join(home, "auth.json"));
  noteSpent(order, home);
  const env = environmentOf(order, {
    ...environment,
    pass: [...CODEX_VARIABLES, ...(environment.pass ?? [])],
    set: { ...environment.set, CODEX_HOME: home },
  });
  const args = argumentsOf(order, { ...options, ...ownServer(options) });
  return { command: bin, args, env, stdin: order.prompt };
}

/** Its own configuration lies in a home that it does not see, so another server is named as its key is. */
function ownServer({
  provider,
  environment: { from = process.env } = {},
}: CodexOptions): Pick<CodexOptions, "provider"> {
  const url = from["CODEX_BASE_URL"];
  if (provider || !url) return {};
  return { provider: { url, ...(from["CODEX_API_KEY"] ? { keyName: "CODEX_API_KEY" } : {}) } };
}

function argumentsOf(order: DispatchOrder, { model, sandbox = "workspace-write", provider }: CodexOptions): string[] {
  const chosen = order.model ?? model;
  return [
    ...["exec", "--json", "--color", "never", "--skip-git-repo-check", "-C", order.cwd],
    ...(sandbox === "none" ? ["--dangerously-bypass-approvals-and-sandbox"] : ["--sandbox", sandbox]),
    ...(chosen === undefined ? [] : ["--model", chosen]),
    // Commands of the agent have no use for variables named like keys, secrets and tokens.
    ...["-c", "shell_environment_policy.ignore_default_excludes=false"],
    // TMPDIR is the attempt's own; /tmp holds what belongs to others.
    ...["-c", "sandbox_workspace_write.exclude_slash_tmp=true"],
    ...["-c", "analytics.enabled=false"],
    // A repository's settings name servers and hooks, which are commands that nobody here has agreed to.
    ...["-c", `projects={${namesOf(order.cwd).map(distrust).join(",")}}`],
    ...(provider === undefined ? [] : providerArguments(provider)),
    // Nothing of the earlier turn carries over but what was said, so a resumed one is told everything again.
    ...(order.session === undefined ? [] : ["resume", order.session]),
    "-",
  ];
}

/** It may know a folder by another name than we do, where a part of the way is a link. */
function namesOf(folder: string): readonly string[] {
  return existsSync(folder) ? [...new Set([folder, realpathSync(folder)])] : [folder];
}

// A JSON string is a TOML string too.
const distrust = (folder: string): string => `${JSON.stringify(folder)}={trust_level="untrusted"}`;

function providerArguments({ url, keyName, retries }: CodexProvider): string[] {
  // A JSON string is a TOML string too.
  const fields = [
    `name="signalbox"`,
    `wire_api="responses"`,
    `base_url=${JSON.stringify(url)}`,
    ...(keyName === undefined ? [] : [`env_key=${JSON.stringify(keyName)}`]),
    ...(retries === undefined ? [] : [`request_max_retries=${retries}`, `stream_max_retries=${retries}`]),
  ];
  return ["-c", `model_provider="signalbox"`, "-c", `model_providers.signalbox={${fields.join(",")}}`];
}
