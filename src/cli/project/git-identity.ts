import { userInfo } from "node:os";
import type { Identity } from "../../core/journal/identity.ts";
import { askGit } from "./ask-git.ts";

/** Returns the person's identity from git's settings and environment, or undefined if git would have to invent one. */
export async function readGitIdentity(top: string): Promise<Identity | undefined> {
  const [author, committer] = await Promise.all([readPerson(top, "AUTHOR"), readPerson(top, "COMMITTER")]);
  return author && committer && { author, committer };
}

async function readPerson(top: string, role: "AUTHOR" | "COMMITTER"): Promise<Identity["author"] | undefined> {
  const reply = await askGit(top, ["-c", "user.useConfigOnly=true", "var", `GIT_${role}_IDENT`]);
  const [, name, email] = ("out" in reply && /^(.*\S) <([^<>]*\S)> \d+ [+-]\d{4}$/.exec(reply.out.trim())) || [];
  return name === undefined || email === undefined ? undefined : { name, email };
}

/** Returns the name of the system account, or its id if it has no name. */
export function getUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
