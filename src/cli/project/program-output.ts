import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/**
 * Returns what a program prints about its settings, or an empty string if it is missing. Runs outside the repository,
 * whose settings a set-up reads by itself.
 */
export async function readProgramOutput(
  program: string,
  args: readonly string[],
  env: EnvironmentVariables,
): Promise<string> {
  const options = { cwd: tmpdir(), env: { ...env, NO_UPDATE_NOTIFIER: "1" }, timeout: PATIENCE_MS };
  const { stdout } = await promisify(execFile)(program, args, options).catch(() => ({ stdout: "" }));
  return stdout;
}

/** Returns standard output and standard error. */
export async function readAllOutput(
  program: string,
  args: readonly string[],
  env: EnvironmentVariables,
): Promise<string> {
  const options = { cwd: tmpdir(), env: { ...env }, timeout: PATIENCE_MS };
  const toOutput = (failure: unknown): { readonly stdout?: unknown; readonly stderr?: unknown } =>
    typeof failure === "object" && failure !== null ? failure : {};
  const { stdout = "", stderr = "" } = toOutput(await promisify(execFile)(program, args, options).catch(toOutput));
  return `${stdout}\n${stderr}`;
}

/** A busy machine takes seconds to start Python, and the fix is incomplete without its answer. */
const PATIENCE_MS = 30_000;
