import { execFile } from "node:child_process";
import { AGENT_PROGRAMS, type AgentProgram } from "../../drivers/index.ts";
import { isInstalled } from "./agents.ts";

/** Some programs make a network request before they print their version. */
const PATIENCE_MS = 5_000;

export type InstalledAgent = { readonly driver: AgentProgram; readonly version: string };

/** Returns the agent programs on the PATH with their versions. */
export async function listInstalledAgents(): Promise<readonly InstalledAgent[]> {
  const found = AGENT_PROGRAMS.filter(({ program }) => isInstalled(program));
  return Promise.all(found.map(async (driver) => ({ driver, version: await readProgramVersion(driver.program) })));
}

/** Returns the version number that the program prints, or `unknown`. */
export function readProgramVersion(program: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, ["--version"], { timeout: PATIENCE_MS }, (_error, stdout) => {
      resolve(/\d+\.\d+(?:\.\d+)?(?:[-.][\w.]+)?/.exec(stdout)?.[0] ?? "unknown");
    });
  });
}
