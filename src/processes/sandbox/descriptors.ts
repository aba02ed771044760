import { closeSync, readdirSync, readFileSync } from "node:fs";

/**
 * What this process was given by whoever started it, and would hand on to everything that it starts. Node marks what
 * it opens itself, and what it was given below the first gap, to be closed in a child; a folder on number 200 stays
 * open. Only Linux needs it: elsewhere the system closes them at each start.
 */
export function inheritedDescriptors(): readonly number[] {
  return numbers().filter((number) => number > LAST_STREAM && isHandedOn(number));
}

/** Closes them here, so that nobody gets them. A lock that somebody holds through one stays held. */
export function closeInherited(options: { readonly except: ReadonlySet<number> }): void {
  for (const number of inheritedDescriptors()) {
    if (!options.except.has(number) && !infoOf(number).includes("\nlock:")) closeSync(number);
  }
}

/**
 * A command that starts with its three streams and nothing else. A shell cannot close a number of two digits, so it is
 * our own Node, which then becomes the command. It must not read options that are meant for that.
 */
export function withoutInherited(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): { readonly command: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  if (inheritedDescriptors().length === 0) return { command, env };
  const { NODE_OPTIONS: options, ...others } = env;
  const kept = JSON.stringify(options === undefined ? {} : { NODE_OPTIONS: options });
  return { command: [process.execPath, "--no-warnings", "--eval", CLOSER, "--", kept, ...command], env: others };
}

const LAST_STREAM = 2;
const CLOSES_BY_ITSELF = 0o2000000;

/**
 * Not a file of its own: one that is read needs a loader, and twice the time. The handler is there because Node ignores
 * a broken pipe, and what is ignored stays so in what it becomes; what is handled does not.
 */
const CLOSER = `
const { closeSync, readdirSync, readFileSync } = require("node:fs");
for (const name of readdirSync("/proc/self/fd")) {
  try {
    const flags = /^flags:\\s*(\\d+)/m.exec(readFileSync("/proc/self/fdinfo/" + name, "utf8"))[1];
    if (Number(name) > ${LAST_STREAM} && (parseInt(flags, 8) & ${CLOSES_BY_ITSELF}) === 0) closeSync(Number(name));
  } catch {}
}
const [kept, ...command] = process.argv.slice(1);
process.on("SIGPIPE", () => {});
process.execve("/bin/sh", ["sh", "-c", 'exec "$@"', "signalbox", ...command], { ...process.env, ...JSON.parse(kept) });
`;

function numbers(): readonly number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

function isHandedOn(number: number): boolean {
  const flags = /^flags:\s*(\d+)/m.exec(infoOf(number))?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSES_BY_ITSELF) === 0;
}

/** Empty for what is closed meanwhile, as the folder that was just listed. */
function infoOf(number: number): string {
  try {
    return readFileSync(`/proc/self/fdinfo/${number}`, "utf8");
  } catch {
    return "";
  }
}
