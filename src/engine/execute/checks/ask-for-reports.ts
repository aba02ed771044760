import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { putFirstOnPath } from "./launchers.ts";

const REPORTERS = fileURLToPath(new URL("./reporters/", import.meta.url));
const PYTHON = join(REPORTERS, "python");

type ReportOptions = {
  /** The check's own folder, empty and writable inside its sandbox. */
  readonly folder: string;
  /** The environment that the check would start with. */
  readonly env: Readonly<Record<string, string>>;
};

/**
 * Returns the environment in which known test programs write the result of each test into the folder, however they are
 * started. Unknown programs run as before.
 */
export async function requestReports({ folder, env }: ReportOptions): Promise<Record<string, string>> {
  await putFirstOnPath(join(folder, "bin"), join(REPORTERS, "go-test.mjs"));
  const options = getNodeOptions();
  return {
    ...env,
    SIGNALBOX_REPORTS: folder,
    // Also stored separately: it is removed again before the first test runs.
    SIGNALBOX_NODE_OPTIONS: options,
    NODE_OPTIONS: [env["NODE_OPTIONS"], options].filter(Boolean).join(" "),
    PYTHONPATH: [PYTHON, env["PYTHONPATH"]].filter(Boolean).join(delimiter),
    PYTHONDONTWRITEBYTECODE: "1",
    PATH: [join(folder, "bin"), env["PATH"]].filter(Boolean).join(delimiter),
  };
}

/**
 * Adds our folder to a line that sets `PYTHONPATH` itself, as `PYTHONPATH=src pytest` does; otherwise the line would
 * drop it.
 */
export function addReportPath(line: string): string {
  const folder = `'${PYTHON.replaceAll("'", "'\\''")}'`;
  return line.replaceAll(
    OWN_PATHS,
    (_, set: string, value: string) => `${set}${folder}${value === "" ? "" : delimiter}`,
  );
}

/** Matches the start of such a word, and whether a value follows: an empty entry would mean the current folder. */
const OWN_PATHS = /((?:^|(?<=[\s;&|(]))PYTHONPATH=)(?=([^\s;&|)]?))/g;

/** Node's own test runner accepts reporters only on its command line; the hook covers every other program. */
function getNodeOptions(): string {
  const quoteReporter = (file: string) => JSON.stringify(join(REPORTERS, file));
  return [
    `--require ${quoteReporter("hook.cjs")}`,
    `--test-reporter ${quoteReporter("node-test.mjs")}`,
    "--test-reporter-destination stdout",
  ].join(" ");
}
