import { join } from "node:path";
import { createRealWorld } from "../src/cli/real-world.ts";
import { createSqliteHost } from "../src/hosts/sqlite/host.ts";
import { engineOn, startSteps } from "./steps.ts";

/**
 * Measures the milliseconds until a new engine has opened the store and replayed this many steps up to the open
 * question.
 */
export async function resumeMs(dir: string, steps: number): Promise<number> {
  const open = () => createSqliteHost({ file: join(dir, "resume.db"), world: createRealWorld() });
  const before = open();
  const run = await startSteps(await engineOn(before), steps, { park: true });
  await before.drive(run);
  await before.close();

  const from = performance.now();
  const host = open();
  await engineOn(host);
  const { status } = await host.drive(run);
  const ms = performance.now() - from;
  await host.close();
  if (status !== "waiting") throw new Error(`the resumed run of the benchmark is ${status}`);
  return ms;
}
