import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { putFirstOnPath } from "./first-on-path.ts";

const REPORTERS = fileURLToPath(new URL("./reporters/", import.meta.url));
const PYTHON = join(REPORTERS, "python");

type ReportOptions = {
  /** The check's own folder, empty and writable inside its sandbox. */
  readonly folder: string;
  /** What the check would be started with. */
  readonly env: Readonly<Record<string, string>>;
};

/**
 * The environment in which known test programs write what became of each test into the folder, however they are
 * started. A program that is not known runs as it always did.
 */
export async function askForReports({ folder, env }: ReportOptions): Promise<Record<string, string>> {
  await putFirstOnPath(join(folder, "bin"), join(REPORTERS, "go-test.mjs"));
  const options = nodeOptions();
  return {
    ...env,
    SIGNALBOX_REPORTS: folder,
    // By itself as well: it is taken out again before the first test runs.
    SIGNALBOX_NODE_OPTIONS: options,
    NODE_OPTIONS: [env["NODE_OPTIONS"], options].filter(Boolean).join(" "),
    PYTHONPATH: [PYTHON, env["PYTHONPATH"]].filter(Boolean).join(delimiter),
    PYTHONDONTWRITEBYTECODE: "1",
    PATH: [join(folder, "bin"), env["PATH"]].filter(Boolean).join(delimiter),
  };
}

/** A line that sets `PYTHONPATH` itself, as `PYTHONPATH=src pytest` does, would else leave out the folder that asks. */
export function askedLine(line: string): string {
  const folder = `'${PYTHON.replaceAll("'", "'\\''")}'`;
  return line.replaceAll(
    OWN_PATHS,
    (_, set: string, value: string) => `${set}${folder}${value === "" ? "" : delimiter}`,
  );
}

/** Where a word begins that sets it, and whether something follows: an empty entry would be the folder of the line. */
const OWN_PATHS = /((?:^|(?<=[\s;&|(]))PYTHONPATH=)(?=([^\s;&|)]?))/g;

/** Node's own test runner takes reporters only from its command line; every other program is listened to by the hook. */
function nodeOptions(): string {
  const quoted = (file: string) => JSON.stringify(join(REPORTERS, file));
  return [
    `--require ${quoted("hook.cjs")}`,
    `--test-reporter ${quoted("node-test.mjs")}`,
    "--test-reporter-destination stdout",
  ].join(" ");
}
