import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { DriverDescriptor } from "../descriptor.ts";

/** Scripted agents are selected by file, never by name in a configuration. */
export function createScriptedDescriptor(file: string): DriverDescriptor {
  return {
    name: "scripted",
    title: `scripted by ${file}`,
    async create({ limits }) {
      const { readScript } = await import("./read-script.ts");
      const { createScriptedDriver } = await import("./scripted-driver.ts");
      const scripts = listScripts(file).map((each) => readScript(readScriptText(each), each));
      return createScriptedDriver({ file, agents: scripts.flatMap(({ agents }) => agents) }, { limits });
    },
  };
}

/** Lists the scripts in a folder, such as one that `--record` has written. */
export function listScripts(path: string): readonly string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith(".yaml") && !name.startsWith("."));
  if (names.length === 0) {
    const hint = "Name a script, or a folder written by `run --record`.";
    throw new SignalboxError("SCRIPT_INVALID", `The folder ${path} contains no agents file (*.yaml).`, hint);
  }
  return names.sort().map((name) => join(path, name));
}

function readScriptText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const hint = "Name an existing file with --agents.";
    throw new SignalboxError("SCRIPT_INVALID", `Could not read the agents file: ${why}`, hint, { cause });
  }
}
