import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { SignalboxError } from "../../core/failure/errors.ts";
import { isPath, pathOf, repositoryName, withoutCredentials } from "../../core/text/repository-name.ts";
import { environment, SAFE_ARGUMENTS } from "../repository/git.ts";
import { type GitAnswer, startGit } from "../repository/git-process.ts";
import { waitsFor } from "../repository/obstacles.ts";
import { findRepository, type Repository } from "../repository/repository.ts";
import { type PushOutcome, type RefUpdate, readPush } from "./push-report.ts";
import { LOCKED, remoteFailure, remoteRefused, unreachable } from "./remote-failure.ts";
import { addressOf, hasOwnSsh, type Setting, settingsForRemotes } from "./user-settings.ts";

export type RemoteRef = { readonly name: string; readonly id: string };

/** The repository that a team shares. */
export type Remote = {
  /** Without credentials. */
  readonly shown: string;
  /** False where there is no ref of one of these names; a pattern may stand for none. */
  fetch(refspecs: readonly string[]): Promise<boolean>;
  /** What it has under these names; one may be a pattern. */
  list(names: readonly string[]): Promise<readonly RemoteRef[]>;
  /** Each by compare and swap, on its own. */
  push(updates: readonly RefUpdate[]): Promise<ReadonlyMap<string, PushOutcome>>;
  /** Throws where a push would be refused, as far as the remote tells before anything is written. */
  tryPush(ref: string): Promise<void>;
};

/** Long enough for a large first fetch over a slow line; one that stands still is ended earlier. */
const MOST_MS = 15 * 60_000;
/** Git tells how far it is at least every second while something moves. */
const SILENT_MS = 60_000;
/** Pauses after which a remote that could not be reached is tried again. */
const AGAIN_MS = [300, 1_500] as const;

// With its progress, which is how one that is slow differs from one that stands still.
const FETCH = ["fetch", "--progress", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"] as const;
const PUSH = ["push", "--porcelain", "--no-verify", "--progress"] as const;

export async function openRemote(repository: Repository, name: string, silentMs = SILENT_MS): Promise<Remote> {
  const { top } = repository;
  const [url, pushUrl, settings, ownSsh] = await Promise.all([
    addressFor(top, name, "fetch"),
    addressFor(top, name, "push"),
    settingsForRemotes(top),
    hasOwnSsh(top),
  ]);
  const env = remoteEnvironment(settings, ownSsh);
  const ask = (args: readonly string[]) => call(repository, args, { env, silentMs });
  const shown = withoutCredentials(url);
  return {
    shown,
    async fetch(refspecs) {
      const answer = await patiently({ deed: "fetch", shown, here: repository.objects }, () =>
        ask([...FETCH, "--", url, ...refspecs]),
      );
      return answer.code === 0;
    },
    async list(names) {
      const about = { deed: "fetch", shown, here: repository.objects } as const;
      const answer = await patiently(about, () => ask(["ls-remote", "--refs", "--", url, ...names]));
      const rows = answer.out.toString("utf8").split("\n").filter(Boolean);
      // Patterns fit anywhere in a name, and are meant from its beginning.
      const begins = names.map((name) => name.replace(/\*$/, ""));
      return rows
        .map((row) => ({ id: row.slice(0, row.indexOf("\t")), name: row.slice(row.indexOf("\t") + 1) }))
        .filter(({ name }) => begins.some((begin) => name.startsWith(begin)));
    },
    async push(updates) {
      if (updates.length === 0) return new Map();
      const leases = updates.map(({ ref, from }) => `--force-with-lease=${ref}:${from ?? ""}`);
      const refspecs = updates.map(({ ref, to }) => `${to ?? ""}:${ref}`);
      const about = { deed: "push", shown: withoutCredentials(pushUrl), here: repository.objects } as const;
      const answer = await patiently(about, () => ask([...PUSH, ...leases, "--", pushUrl, ...refspecs]));
      const { outcomes, refused } = readPush(answer.out.toString("utf8"), updates);
      if (refused !== undefined) throw remoteRefused({ ...about, said: answer.err, because: refused });
      return outcomes;
    },
    async tryPush(ref) {
      const about = { deed: "push", shown: withoutCredentials(pushUrl), here: repository.objects } as const;
      await patiently(about, () => ask([...PUSH, "--dry-run", "--", pushUrl, `HEAD:${ref}`]));
    },
  };
}

/** How all clones that share the remote call the repository. */
export async function repositoryNameAt(repo: string, remote: string): Promise<string> {
  const { top } = await findRepository(repo);
  return repositoryName(await addressFor(top, remote, "fetch"));
}

/** A remote's name, or an address as it is; a folder by its real path. */
async function addressFor(top: string, name: string, how: "fetch" | "push"): Promise<string> {
  const found = await addressOf(top, name, how);
  if (found === undefined && !/[/:]/.test(name)) throw missing(top, name);
  const address = found ?? name;
  if (!isPath(address)) return address;
  const folder = resolve(top, pathOf(address));
  return realpath(folder).catch(() => folder);
}

type About = { readonly deed: "fetch" | "push"; readonly shown: string; readonly here: string };

/** An answer, be it that nothing of that name is there or that a ref is elsewhere by now; all else is thrown. */
async function patiently(about: About, ask: () => Promise<GitAnswer>): Promise<GitAnswer> {
  for (const pause of [...AGAIN_MS, undefined]) {
    const answer = await ask();
    if (isAnswer(about.deed, answer)) return answer;
    if (answer.obstacle) throw waitsFor(about.deed, answer.obstacle);
    // Another process of this clone has brought the same ref at this moment.
    if (about.deed === "fetch" && pause !== undefined && LOCKED.test(answer.err)) continue;
    // Who has waited so long already is told at once: what it waits for is tried again by who asked.
    if (answer.ended === "limit" || answer.ended === "silence") throw standsStill(about, answer.ended);
    const failure = remoteFailure({ ...about, said: `${answer.err}\n${answer.out}` });
    if (failure.code !== "REMOTE_UNREACHABLE" || pause === undefined) throw failure;
    await wait(pause);
  }
  throw new Error("the last try has no pause");
}

function standsStill({ shown }: About, ended: "limit" | "silence"): SignalboxError {
  const why =
    ended === "limit" ? `no end after ${MOST_MS / 60_000} minutes` : "it stood still for a minute, and was ended";
  return unreachable(shown, why);
}

function isAnswer(deed: About["deed"], { code, out, err }: GitAnswer): boolean {
  if (code === 0) return true;
  // It ends with its report where it came as far as the refs, whatever became of each.
  if (deed === "push") return code === 1 && /^[ +*=!-]\t/m.test(out.toString("utf8"));
  return /couldn't find remote ref/.test(err);
}

/** Nothing of the repository's settings changes what is fetched and pushed, or asks a person. */
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
  // Slower than a byte a second for a minute is standing still.
  "http.lowSpeedLimit=1",
  "http.lowSpeedTime=60",
].flatMap((setting) => ["-c", setting]);

type Way = { readonly env: Readonly<Record<string, string>>; readonly silentMs: number };

function call(repository: Repository, args: readonly string[], { env: own, silentMs }: Way) {
  const { top, gitDir } = repository;
  const env = { ...own, GIT_DIR: gitDir, GIT_WORK_TREE: top };
  const order = { cwd: top, env, input: "", mostBytes: Number.POSITIVE_INFINITY, mostMs: MOST_MS, silentMs };
  return startGit({ args: [...SAFE_ARGUMENTS, ...PLAIN, ...args], ...order });
}

/** Never a question: who has no key ready is refused, and a machine that does not answer is given up. */
const SSH = "ssh -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=15 -o ServerAliveCountMax=4";

/**
 * The person's own environment, because their ssh agent and credential programs live in it; of git's own variables only
 * those that say how a remote is reached.
 */
function remoteEnvironment(settings: readonly Setting[], ownSsh: boolean): Record<string, string> {
  const theirs = Object.entries(process.env).filter(([name]) => !/^(GIT_|SSH_ASKPASS)/.test(name) || WAYS.test(name));
  const known = theirs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const numbered = settings.flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    ...Object.fromEntries(known),
    ...environment({ cwd: "" }),
    ...(ownSsh ? {} : { GIT_SSH_COMMAND: SSH }),
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(numbered),
    GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh",
  };
}

const WAYS = /^GIT_(ASKPASS|SSH|SSH_COMMAND|SSH_VARIANT|SSL_\w+|HTTP_\w+|PROXY_\w+)$/;

function missing(top: string, name: string): SignalboxError {
  return new SignalboxError(
    "REMOTE_MISSING",
    `${top} has no git remote named ${name}, and a team's workers share their work through one`,
    `Add it (\`git remote add ${name} <address>\`), or name another one as \`remote\` in the configuration.`,
  );
}
