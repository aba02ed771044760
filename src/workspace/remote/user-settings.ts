import { getLine, runGit, splitRecords } from "../repository/git.ts";
import { createPersonalEnvironment } from "../repository/repository.ts";

/** In their order; a name may occur several times. */
export type GitSetting = readonly [name: string, value: string];

/**
 * Returns the person's git settings for reaching remotes: credentials and transport, nothing else. Excludes repository
 * settings, which git reads itself.
 */
export async function readRemoteSettings(top: string): Promise<readonly GitSetting[]> {
  const { out } = await runGit(["config", "-z", "--list", "--show-scope"], {
    cwd: top,
    env: createPersonEnvironment(),
  });
  const fields = splitRecords(out).map((record) => record.toString("utf8"));
  const settings: GitSetting[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [name = "", value = ""] = splitSetting(fields[at + 1] ?? "");
    if (!REPOSITORY_SCOPES.has(fields[at] ?? "") && isRemoteSetting(name)) settings.push([name, value]);
  }
  return settings;
}

/** Resolves `insteadOf` settings. Returns undefined if there is no remote of that name. */
export async function readRemoteAddress(
  top: string,
  remote: string,
  how: "fetch" | "push",
): Promise<string | undefined> {
  const args = ["remote", "get-url", ...(how === "push" ? ["--push"] : []), "--", remote];
  const answer = await runGit(args, { cwd: top, env: createPersonEnvironment(), answers: [2, 128] });
  return answer.code === 0 ? getLine(answer).split("\n")[0] : undefined;
}

/** True if the person has configured an ssh program. */
export async function hasOwnSsh(top: string): Promise<boolean> {
  if (process.env["GIT_SSH_COMMAND"] || process.env["GIT_SSH"]) return true;
  const asked = ["config", "--get", "core.sshCommand"];
  return (await runGit(asked, { cwd: top, env: createPersonEnvironment(), answers: [1] })).code === 0;
}

const REPOSITORY_SCOPES: ReadonlySet<string> = new Set(["local", "worktree"]);

function isRemoteSetting(name: string): boolean {
  return /^(credential|http|https|ssh)\./.test(name) || name === "core.sshcommand";
}

/** A setting without a value is true. */
function splitSetting(entry: string): readonly [string, string] {
  const at = entry.indexOf("\n");
  return at < 0 ? [entry, "true"] : [entry.slice(0, at), entry.slice(at + 1)];
}

/** Reading settings runs no program. */
function createPersonEnvironment(): Record<string, string> {
  const given = Object.entries(process.env).filter(([name]) => /^GIT_CONFIG_/.test(name));
  const system = process.env["GIT_CONFIG_NOSYSTEM"] ?? "0";
  const known = given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { GIT_CONFIG_NOSYSTEM: system, ...Object.fromEntries(known), ...createPersonalEnvironment() };
}
