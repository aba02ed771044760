import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { SignalboxError } from "../../core/failure/errors.ts";
import { isPath, normalizeRemote, removeCredentials, toFolderPath } from "../../core/text/repository-name.ts";
import { createGitEnvironment, SAFE_ARGUMENTS } from "../repository/git.ts";
import { type GitAnswer, startGit } from "../repository/git-process.ts";
import { createBlockedError } from "../repository/obstacles.ts";
import { findRepository, type Repository } from "../repository/repository.ts";
import { type PushOutcome, parsePushReport, type RefUpdate } from "./push-report.ts";
import { createRemoteRefusedError, createRemoteUnreachableError, LOCKED, toRemoteError } from "./remote-failure.ts";
import { type GitSetting, hasOwnSsh, readRemoteAddress, readRemoteSettings } from "./user-settings.ts";

export type RemoteRef = { readonly name: string; readonly id: string };

/** The repository that a team shares. */
export type Remote = {
  /** The address, without credentials. */
  readonly shown: string;
  /** Returns false if one of these refs does not exist; a pattern may match none. */
  fetch(refspecs: readonly string[]): Promise<boolean>;
  /** Lists refs with these names; a name may be a pattern. */
  list(names: readonly string[]): Promise<readonly RemoteRef[]>;
  /** Updates each ref separately by compare and swap. */
  push(updates: readonly RefUpdate[]): Promise<ReadonlyMap<string, PushOutcome>>;
  /** Throws if a push would be refused, as far as the remote reveals that before a write. */
  tryPush(ref: string): Promise<void>;
};

/** Long enough for a large first fetch over a slow line; a stalled one ends earlier. */
const MOST_MS = 15 * 60_000;
/** Git reports progress at least every second while data moves. */
const SILENT_MS = 60_000;
/** Pauses before an unreachable remote is tried again. */
const AGAIN_MS = [300, 1_500] as const;

// With progress output, which distinguishes a slow transfer from a stalled one.
const FETCH = ["fetch", "--progress", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"] as const;
const PUSH = ["push", "--porcelain", "--no-verify", "--progress"] as const;

export async function openRemote(repository: Repository, name: string, silentMs = SILENT_MS): Promise<Remote> {
  const { top } = repository;
  const [url, pushUrl, settings, ownSsh] = await Promise.all([
    resolveAddress(top, name, "fetch"),
    resolveAddress(top, name, "push"),
    readRemoteSettings(top),
    hasOwnSsh(top),
  ]);
  const env = createEnvironment(settings, ownSsh);
  const ask = (args: readonly string[]) => callGit(repository, args, { env, silentMs });
  const shown = removeCredentials(url);
  return {
    shown,
    async fetch(refspecs) {
      const answer = await askWithRetry({ deed: "fetch", shown, here: repository.objects }, () =>
        ask([...FETCH, "--", url, ...refspecs]),
      );
      return answer.code === 0;
    },
    async list(names) {
      const about = { deed: "fetch", shown, here: repository.objects } as const;
      const answer = await askWithRetry(about, () => ask(["ls-remote", "--refs", "--", url, ...names]));
      const rows = answer.out.toString("utf8").split("\n").filter(Boolean);
      // Git matches patterns anywhere in a name; here they match from its beginning.
      const begins = names.map((name) => name.replace(/\*$/, ""));
      return rows
        .map((row) => ({ id: row.slice(0, row.indexOf("\t")), name: row.slice(row.indexOf("\t") + 1) }))
        .filter(({ name }) => begins.some((begin) => name.startsWith(begin)));
    },
    async push(updates) {
      if (updates.length === 0) return new Map();
      const leases = updates.map(({ ref, from }) => `--force-with-lease=${ref}:${from ?? ""}`);
      const refspecs = updates.map(({ ref, to }) => `${to ?? ""}:${ref}`);
      const about = { deed: "push", shown: removeCredentials(pushUrl), here: repository.objects } as const;
      const answer = await askWithRetry(about, () => ask([...PUSH, ...leases, "--", pushUrl, ...refspecs]));
      const { outcomes, refused } = parsePushReport(answer.out.toString("utf8"), updates);
      if (refused !== undefined) throw createRemoteRefusedError({ ...about, output: answer.err, because: refused });
      return outcomes;
    },
    async tryPush(ref) {
      const about = { deed: "push", shown: removeCredentials(pushUrl), here: repository.objects } as const;
      await askWithRetry(about, () => ask([...PUSH, "--dry-run", "--", pushUrl, `HEAD:${ref}`]));
    },
  };
}

/** The name by which all clones of the remote identify the repository. */
export async function readRepositoryName(repo: string, remote: string): Promise<string> {
  const { top } = await findRepository(repo);
  return normalizeRemote(await resolveAddress(top, remote, "fetch"));
}

/** A remote's name, or an address as given; a folder is resolved to its real path. */
async function resolveAddress(top: string, name: string, how: "fetch" | "push"): Promise<string> {
  const found = await readRemoteAddress(top, name, how);
  if (found === undefined && !/[/:]/.test(name)) throw createMissingRemoteError(top, name);
  const address = found ?? name;
  if (!isPath(address)) return address;
  const folder = resolve(top, toFolderPath(address));
  return realpath(folder).catch(() => folder);
}

type RemoteContext = { readonly deed: "fetch" | "push"; readonly shown: string; readonly here: string };

/** Returns an answer, including that a ref is missing or has moved; throws on any other failure. */
async function askWithRetry(about: RemoteContext, ask: () => Promise<GitAnswer>): Promise<GitAnswer> {
  for (const pause of [...AGAIN_MS, undefined]) {
    const answer = await ask();
    if (isAnswer(about.deed, answer)) return answer;
    if (answer.obstacle) throw createBlockedError(about.deed, answer.obstacle);
    // Another process of this clone is fetching the same ref.
    if (about.deed === "fetch" && pause !== undefined && LOCKED.test(answer.err)) continue;
    // Fails at once after such a long wait: the caller retries.
    if (answer.ended === "limit" || answer.ended === "silence") throw createStalledError(about, answer.ended);
    const failure = toRemoteError({ ...about, output: `${answer.err}\n${answer.out}` });
    if (failure.code !== "REMOTE_UNREACHABLE" || pause === undefined) throw failure;
    await wait(pause);
  }
  throw new Error("the last try has no pause");
}

function createStalledError({ shown }: RemoteContext, ended: "limit" | "silence"): SignalboxError {
  const why = ended === "limit" ? `no end after ${MOST_MS / 60_000} minutes` : "it stalled for a minute and was ended";
  return createRemoteUnreachableError(shown, why);
}

function isAnswer(deed: RemoteContext["deed"], { code, out, err }: GitAnswer): boolean {
  if (code === 0) return true;
  // Git prints its report if it got as far as the refs, whatever the result of each.
  if (deed === "push") return code === 1 && /^[ +*=!-]\t/m.test(out.toString("utf8"));
  return /couldn't find remote ref/.test(err);
}

/** Overrides repository settings that would change what is fetched or pushed, or would prompt. */
const PLAIN = [
  "fetch.prune=false",
  "fetch.pruneTags=false",
  "fetch.recurseSubmodules=false",
  "fetch.writeCommitGraph=false",
  "submodule.recurse=false",
  "push.recurseSubmodules=no",
  "push.followTags=false",
  "push.gpgSign=false",
  "push.pushOption=",
  "core.askPass=",
  "core.alternateRefsCommand=:",
  // Less than a byte per second for a minute counts as stalled.
  "http.lowSpeedLimit=1",
  "http.lowSpeedTime=60",
].flatMap((setting) => ["-c", setting]);

type CallOptions = { readonly env: Readonly<Record<string, string>>; readonly silentMs: number };

function callGit(repository: Repository, args: readonly string[], { env: own, silentMs }: CallOptions) {
  const { top, gitDir } = repository;
  const env = { ...own, GIT_DIR: gitDir, GIT_WORK_TREE: top };
  const order = { cwd: top, env, input: "", mostBytes: Number.POSITIVE_INFINITY, mostMs: MOST_MS, silentMs };
  return startGit({ args: [...SAFE_ARGUMENTS, ...PLAIN, ...args], ...order });
}

/** Never prompts: without a usable key it fails, and an unresponsive machine times out. */
const SSH = "ssh -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=15 -o ServerAliveCountMax=4";

/**
 * The person's own environment, because ssh agents and credential helpers need it; of git's variables only those about
 * reaching remotes.
 */
function createEnvironment(settings: readonly GitSetting[], ownSsh: boolean): Record<string, string> {
  const theirs = Object.entries(process.env).filter(
    ([name]) => !/^(GIT_|SSH_ASKPASS)/.test(name) || TRANSPORT_VARIABLES.test(name),
  );
  const known = theirs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const numbered = settings.flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    ...Object.fromEntries(known),
    ...createGitEnvironment({ cwd: "" }),
    ...(ownSsh ? {} : { GIT_SSH_COMMAND: SSH }),
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(numbered),
    GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh",
  };
}

const TRANSPORT_VARIABLES = /^GIT_(ASKPASS|SSH|SSH_COMMAND|SSH_VARIANT|SSL_\w+|HTTP_\w+|PROXY_\w+)$/;

function createMissingRemoteError(top: string, name: string): SignalboxError {
  return new SignalboxError(
    "REMOTE_MISSING",
    `${top} has no git remote named ${name}, which a team's workers need to share their work`,
    `Add it (\`git remote add ${name} <address>\`), or set another one as \`remote\` in the configuration.`,
  );
}
