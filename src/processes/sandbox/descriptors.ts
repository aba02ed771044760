import { closeSync, readdirSync, readFileSync } from "node:fs";

/**
 * Lists the descriptors that this process inherited and would pass on to its children. Node marks its own descriptors,
 * and inherited ones below the first gap, as close-on-exec; a folder on descriptor 200 stays open. Only Linux needs
 * this: other systems close them at each start.
 */
export function listInherited(): readonly number[] {
  return listDescriptors().filter((number) => number > LAST_STREAM && isInherited(number));
}

/** Closes inherited descriptors, except those that hold a lock. */
export function closeInherited(options: { readonly except: ReadonlySet<number> }): void {
  for (const number of listInherited()) {
    if (!options.except.has(number) && !readInfo(number).includes("\nlock:")) closeSync(number);
  }
}

/**
 * Wraps a command so that it starts with only its three streams. A shell cannot close two-digit descriptors, so Node
 * closes them and then replaces itself with the command. Node must not read NODE_OPTIONS meant for the command.
 */
export function closeInheritedFor(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): { readonly command: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  if (listInherited().length === 0) return { command, env };
  const { NODE_OPTIONS: options, ...others } = env;
  const kept = JSON.stringify(options === undefined ? {} : { NODE_OPTIONS: options });
  return { command: [process.execPath, "--no-warnings", "--eval", CLOSER, "--", kept, ...command], env: others };
}

const LAST_STREAM = 2;
const CLOSE_ON_EXEC = 0o2000000;

/**
 * Inline code, because a file needs a loader and takes twice as long. The SIGPIPE handler is required: Node ignores the
 * signal, an ignored signal stays ignored after `execve`, and a handled one does not.
 */
const CLOSER = `
const { closeSync, readdirSync, readFileSync } = require("node:fs");
for (const name of readdirSync("/proc/self/fd")) {
  try {
    const flags = /^flags:\\s*(\\d+)/m.exec(readFileSync("/proc/self/fdinfo/" + name, "utf8"))[1];
    if (Number(name) > ${LAST_STREAM} && (parseInt(flags, 8) & ${CLOSE_ON_EXEC}) === 0) closeSync(Number(name));
  } catch {}
}
const [kept, ...command] = process.argv.slice(1);
process.on("SIGPIPE", () => {});
process.execve("/bin/sh", ["sh", "-c", 'exec "$@"', "signalbox", ...command], { ...process.env, ...JSON.parse(kept) });
`;

function listDescriptors(): readonly number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

function isInherited(number: number): boolean {
  const flags = /^flags:\s*(\d+)/m.exec(readInfo(number))?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
}

/** Returns an empty text for a closed descriptor, such as that of the listed folder. */
function readInfo(number: number): string {
  try {
    return readFileSync(`/proc/self/fdinfo/${number}`, "utf8");
  } catch {
    return "";
  }
}
