import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { DriverDescriptor } from "../descriptor.ts";

/** Who plays by a script is named by its file, and never in a configuration. */
export function scriptedBy(file: string): DriverDescriptor {
  return {
    name: "scripted",
    title: `scripted by ${file}`,
    async create({ limits }) {
      const { readScript } = await import("./read-script.ts");
      const { scriptedDriver } = await import("./scripted-driver.ts");
      const scripts = scriptFiles(file).map((each) => readScript(scriptText(each), each));
      return scriptedDriver({ file, agents: scripts.flatMap(({ agents }) => agents) }, { limits });
    },
  };
}

/** A folder stands for all scripts in it: what `--record` leaves behind. */
export function scriptFiles(path: string): readonly string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith(".yaml") && !name.startsWith("."));
  if (names.length === 0) {
    const hint = "Name a script, or a folder that `run --record` has filled.";
    throw new SignalboxError("SCRIPT_INVALID", `There is no agents file (*.yaml) in the folder ${path}.`, hint);
  }
  return names.sort().map((name) => join(path, name));
}

function scriptText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const hint = "Name an existing file with --agents.";
    throw new SignalboxError("SCRIPT_INVALID", `The agents file cannot be read: ${why}`, hint, { cause });
  }
}
