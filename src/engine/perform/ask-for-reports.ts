import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { putFirstOnPath } from "./first-on-path.ts";

const REPORTERS = fileURLToPath(new URL("./reporters/", import.meta.url));

type Asking = {
  /** The check's own folder, empty and writable inside its sandbox. */
  readonly folder: string;
  /** What the check would be started with. */
  readonly env: Readonly<Record<string, string>>;
};

/**
 * The environment in which known test programs write what became of each test into the folder, however they are
 * started. A program that is not known, or that the command starts with variables of its own, runs as it always did.
 */
export async function askForReports({ folder, env }: Asking): Promise<Record<string, string>> {
  await putFirstOnPath(join(folder, "bin"), join(REPORTERS, "go-test.mjs"));
  const options = nodeOptions();
  return {
    ...env,
    SIGNALBOX_REPORTS: folder,
    // By itself as well: it is taken out again before the first test runs.
    SIGNALBOX_NODE_OPTIONS: options,
    NODE_OPTIONS: [env["NODE_OPTIONS"], options].filter(Boolean).join(" "),
    PYTHONPATH: [join(REPORTERS, "python"), env["PYTHONPATH"]].filter(Boolean).join(delimiter),
    PYTHONDONTWRITEBYTECODE: "1",
    PATH: [join(folder, "bin"), env["PATH"]].filter(Boolean).join(delimiter),
  };
}

/** Node's own test runner takes reporters only from its command line; every other program is listened to by the hook. */
function nodeOptions(): string {
  const quoted = (file: string) => JSON.stringify(join(REPORTERS, file));
  return [
    `--require ${quoted("hook.cjs")}`,
    `--test-reporter ${quoted("node-test.mjs")}`,
    "--test-reporter-destination stdout",
  ].join(" ");
}
