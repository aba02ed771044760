import { randomBytes } from "node:crypto";
import { chmod, link, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../project/make-folder.ts";
import { stateFolder } from "../project/user-places.ts";

/** What belongs to the server of this user; nobody else may read it, and no sandbox shows it. */
export function serverFolder(): string {
  return join(stateFolder(), "server");
}

const SHAPE = /^[\w-]{43}$/;

/** 256 bits, the same for every server of this user: a page that has it survives a restart. */
export async function serverToken(): Promise<string> {
  await makeFolder(serverFolder(), 0o700);
  await chmod(serverFolder(), 0o700);
  const file = join(serverFolder(), "token");
  const kept = await readToken();
  if (kept !== undefined) return kept;
  // One that others could read, or that is none, is no secret any more.
  await rm(file, { force: true });
  const fresh = `${file}.${randomBytes(4).toString("hex")}`;
  await writeFile(fresh, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  // Of two servers that begin at once one gives the token, and both have it.
  await link(fresh, file).catch(() => undefined);
  await rm(fresh, { force: true });
  const token = await readToken();
  if (token === undefined) throw new Error(`the token in ${file} cannot be read`);
  return token;
}

/** Undefined where there is none, or others could have read it. */
export async function readToken(): Promise<string | undefined> {
  const file = join(serverFolder(), "token");
  const about = await stat(file).catch(() => undefined);
  if (!about?.isFile() || (about.mode & 0o077) !== 0 || about.uid !== process.getuid?.()) return undefined;
  const text = await readFile(file, "utf8").catch(() => "");
  return SHAPE.test(text) ? text : undefined;
}
