import { randomBytes } from "node:crypto";
import { chmod, link, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../project/make-folder.ts";
import { getStateFolder } from "../project/user-folders.ts";

/** Folder of this user's server files. Other users cannot read it, and no sandbox exposes it. */
export function getServerFolder(): string {
  return join(getStateFolder(), "server");
}

const TOKEN_PATTERN = /^[\w-]{43}$/;

/** Returns the user's 256-bit token. All servers of the user share it, so that an open page survives a restart. */
export async function getServerToken(): Promise<string> {
  await makeFolder(getServerFolder(), 0o700);
  await chmod(getServerFolder(), 0o700);
  const file = join(getServerFolder(), "token");
  const existing = await readToken();
  if (existing !== undefined) return existing;
  // A malformed token, or one that others could read, is replaced.
  await rm(file, { force: true });
  const fresh = `${file}.${randomBytes(4).toString("hex")}`;
  await writeFile(fresh, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  // If two servers start at once, `link` succeeds for one of them and both use its token.
  await link(fresh, file).catch(() => undefined);
  await rm(fresh, { force: true });
  const token = await readToken();
  if (token === undefined) throw new Error(`the token in ${file} cannot be read`);
  return token;
}

/** Returns undefined if there is no token or others could have read it. */
export async function readToken(): Promise<string | undefined> {
  const file = join(getServerFolder(), "token");
  const about = await stat(file).catch(() => undefined);
  if (!about?.isFile() || (about.mode & 0o077) !== 0 || about.uid !== process.getuid?.()) return undefined;
  const text = await readFile(file, "utf8").catch(() => "");
  return TOKEN_PATTERN.test(text) ? text : undefined;
}
