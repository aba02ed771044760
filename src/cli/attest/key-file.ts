import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { askGit } from "../project/ask-git.ts";

/** Returns the key to sign with: the given one, else git's SSH signing key, else the user's default SSH key. */
export async function findSigningKey(asked: string | undefined, repo: string): Promise<string> {
  if (asked !== undefined) return resolve(asked);
  const signing =
    (await readGitSetting(repo, "gpg.format")) === "ssh" ? await readGitSetting(repo, "user.signingkey") : undefined;
  const named = signing?.replace(/^~(?=\/)/, homedir());
  if (named !== undefined && existsSync(named)) return named;
  const own = ["id_ed25519", "id_ecdsa", "id_rsa"].map((name) => join(homedir(), ".ssh", name)).find(existsSync);
  if (own !== undefined) return own;
  throw new SignalboxError(
    "KEY_UNUSABLE",
    "No signing key: --key is not set, git has no SSH signing key here, and ~/.ssh has no key.",
    "Pass one with --key FILE. Create one with `ssh-keygen -t ed25519 -f FILE`.",
  );
}

async function readGitSetting(repo: string, key: string): Promise<string | undefined> {
  const reply = await askGit(repo, ["config", "--get", key]);
  return "out" in reply ? reply.out.trim() || undefined : undefined;
}
