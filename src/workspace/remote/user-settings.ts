import { git, line, records } from "../repository/git.ts";
import { personal } from "../repository/repository.ts";

/** In their order; a name may come several times. */
export type Setting = readonly [name: string, value: string];

/**
 * What the person's own git has for reaching remotes: how it proves who they are and which way it goes. Nothing else of
 * their settings. The repository's own are not among them: git reads those itself.
 */
export async function settingsForRemotes(top: string): Promise<readonly Setting[]> {
  const { out } = await git(["config", "-z", "--list", "--show-scope"], { cwd: top, env: asPerson() });
  const fields = records(out).map((record) => record.toString("utf8"));
  const settings: Setting[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [name = "", value = ""] = halves(fields[at + 1] ?? "");
    if (!REPOSITORYS.has(fields[at] ?? "") && isForRemotes(name)) settings.push([name, value]);
  }
  return settings;
}

/** With what the person's `insteadOf` makes of it; undefined where there is no remote of that name. */
export async function addressOf(top: string, remote: string, how: "fetch" | "push"): Promise<string | undefined> {
  const args = ["remote", "get-url", ...(how === "push" ? ["--push"] : []), "--", remote];
  const answer = await git(args, { cwd: top, env: asPerson(), answers: [2, 128] });
  return answer.code === 0 ? line(answer).split("\n")[0] : undefined;
}

/** Whether somebody has said with which program ssh is to be reached. */
export async function hasOwnSsh(top: string): Promise<boolean> {
  if (process.env["GIT_SSH_COMMAND"] || process.env["GIT_SSH"]) return true;
  const asked = ["config", "--get", "core.sshCommand"];
  return (await git(asked, { cwd: top, env: asPerson(), answers: [1] })).code === 0;
}

const REPOSITORYS: ReadonlySet<string> = new Set(["local", "worktree"]);

function isForRemotes(name: string): boolean {
  return /^(credential|http|https|ssh)\./.test(name) || name === "core.sshcommand";
}

/** A name without a value is one that is set. */
function halves(entry: string): readonly [string, string] {
  const at = entry.indexOf("\n");
  return at < 0 ? [entry, "true"] : [entry.slice(0, at), entry.slice(at + 1)];
}

/** Reading settings runs nothing. */
function asPerson(): Record<string, string> {
  const given = Object.entries(process.env).filter(([name]) => /^GIT_CONFIG_/.test(name));
  const system = process.env["GIT_CONFIG_NOSYSTEM"] ?? "0";
  const known = given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { GIT_CONFIG_NOSYSTEM: system, ...Object.fromEntries(known), ...personal() };
}
