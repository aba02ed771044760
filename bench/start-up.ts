import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { resolvePlaces } from "../src/cli/project/repository.ts";
import { createRealWorld } from "../src/cli/real-world.ts";
import { writeStartNotes } from "../src/cli/start/start-notes.ts";
import { createSqliteHost } from "../src/hosts/sqlite/host.ts";
import { atMost, type Figure, median, shown } from "./figure.ts";
import { smallRepository } from "./small-repository.ts";
import { engineOn, startSteps } from "./steps.ts";

const ROUNDS = 15;
const RECORDED_STEPS = 100;
const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Measures the wait for the first line, beyond the start of Node itself, on the installed package. */
export async function startUpFigures(dir: string): Promise<Figure[]> {
  const bin = packaged();
  const repo = smallRepository(dir);
  await recordRun(repo);
  const start = (...args: string[]) => startMs(repo, args);
  const samples = Array.from({ length: ROUNDS }, () => {
    const bare = start("-e", "0");
    return {
      bare,
      help: start(bin, "--help") - bare,
      status: start(bin, "status") - bare,
      key: start(bin, "__complete", "words", "status", "") - bare,
    };
  });
  rmSync(PACKAGE, { recursive: true });
  const mid = (of: keyof (typeof samples)[number]) => median(samples.map((sample) => sample[of]));
  const from = `bare node ${shown(mid("bare"))} ms`;
  return [
    atMost({ name: "`--help`, beyond bare node", value: mid("help"), target: 30, unit: "ms", from }),
    atMost({ name: "`status`, beyond bare node", value: mid("status"), target: 150, unit: "ms", from }),
    atMost({ name: "a key that completes a run, beyond bare node", value: mid("key"), target: 150, unit: "ms", from }),
  ];
}

// Located below node_modules like an installed package, which finds its packages there.
const PACKAGE = here("node_modules/.cache/signalbox-bench");

function packaged(): string {
  mkdirSync(PACKAGE, { recursive: true });
  const tsc = here("node_modules/typescript/bin/tsc");
  const built = join(PACKAGE, "dist");
  execFileSync(process.execPath, [tsc, "-p", here("tsconfig.build.json"), "--noCheck", "--outDir", built]);
  execFileSync(process.execPath, [here("scripts/bundle.mjs"), built], { stdio: ["ignore", "ignore", "inherit"] });
  for (const path of ["package.json", "bin"]) cpSync(here(path), join(PACKAGE, path), { recursive: true });
  return join(PACKAGE, "bin", "signalbox.js");
}

async function recordRun(repo: string): Promise<void> {
  mkdirSync(join(repo, ".signalbox"));
  const host = createSqliteHost({ file: join(repo, ".signalbox", "signalbox.db"), world: createRealWorld() });
  const run = await startSteps(await engineOn(host), RECORDED_STEPS, { repo });
  await host.drive(run);
  await host.close();
  // Every run that was started from the command line has these notes.
  await writeStartNotes(await resolvePlaces(repo), run, { agents: { agent: [] } });
}

function startMs(cwd: string, args: readonly string[]): number {
  const from = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  const ms = performance.now() - from;
  if (status !== 0) throw new Error(`node ${args.join(" ")} exited with ${status}: ${stderr}`);
  return ms;
}
