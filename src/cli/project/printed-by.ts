import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

export type Variables = Readonly<Record<string, string | undefined>>;

/** What a program says of its own settings; nothing where it is missing. Not in the repository, whose own settings a
 * set-up reads by itself. */
export async function printedBy(program: string, args: readonly string[], env: Variables): Promise<string> {
  const options = { cwd: tmpdir(), env: { ...env, NO_UPDATE_NOTIFIER: "1" }, timeout: PATIENCE_MS };
  const { stdout } = await promisify(execFile)(program, args, options).catch(() => ({ stdout: "" }));
  return stdout;
}

/** The same, with what it complains about. */
export async function heardFrom(program: string, args: readonly string[], env: Variables): Promise<string> {
  const options = { cwd: tmpdir(), env: { ...env }, timeout: PATIENCE_MS };
  const heard = (said: unknown): { readonly stdout?: unknown; readonly stderr?: unknown } =>
    typeof said === "object" && said !== null ? said : {};
  const { stdout = "", stderr = "" } = heard(await promisify(execFile)(program, args, options).catch(heard));
  return `${stdout}\n${stderr}`;
}

/** A busy machine starts Python in seconds, and without its answer a cure is only half a one. */
const PATIENCE_MS = 30_000;
