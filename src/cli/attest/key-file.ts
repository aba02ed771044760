import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { askGit } from "../project/ask-git.ts";

/** The key that was named; else the SSH key that git signs with here; else the user's own. */
export async function keyFile(asked: string | undefined, repo: string): Promise<string> {
  if (asked !== undefined) return resolve(asked);
  const signing = (await said(repo, "gpg.format")) === "ssh" ? await said(repo, "user.signingkey") : undefined;
  const named = signing?.replace(/^~(?=\/)/, homedir());
  if (named !== undefined && existsSync(named)) return named;
  const own = ["id_ed25519", "id_ecdsa", "id_rsa"].map((name) => join(homedir(), ".ssh", name)).find(existsSync);
  if (own !== undefined) return own;
  throw new SignalboxError(
    "KEY_UNUSABLE",
    "There is no key to sign with: none was named, git signs with no SSH key here, and ~/.ssh has none.",
    "Name one with --key FILE; `ssh-keygen -t ed25519 -f FILE` makes one.",
  );
}

async function said(repo: string, key: string): Promise<string | undefined> {
  const reply = await askGit(repo, ["config", "--get", key]);
  return "out" in reply ? reply.out.trim() || undefined : undefined;
}
