import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRealWorld } from "../src/cli/real-world.ts";
import { createScriptedDriver } from "../src/drivers/scripted/scripted-driver.ts";
import { createSupervisor } from "../src/processes/supervisor.ts";
import { atMost, type Figure } from "./figure.ts";

const AGENTS = 4;
const BYTES = 1024 ** 3;

/** Measures the peak memory of reading four agents at once, in a process of its own. */
export function floodFigure(dir: string): Figure {
  const told = execFileSync(process.execPath, [fileURLToPath(import.meta.url), dir], { encoding: "utf8" });
  const value = Number(told) / 1024;
  return atMost({ name: `${AGENTS} agents printing 1 GiB each, resident`, value, target: 150, unit: "MB" });
}

async function readFloods(dir: string): Promise<void> {
  const driver = createScriptedDriver(
    { file: "the benchmark", agents: [{ do: [{ misbehave: `flood:${BYTES}` }], output: { found: "nothing" } }] },
    // The default limit stops an agent after 64 MiB.
    { limits: { outputBytes: 2 * BYTES } },
  );
  const processes = createSupervisor({ world: createRealWorld() });
  await Promise.all(
    Array.from({ length: AGENTS }, async () => {
      const place = mkdtempSync(join(dir, "flood-"));
      const { signal } = new AbortController();
      let last = "";
      for await (const event of driver.dispatch(orderIn(place), processes, signal)) last = event.type;
      if (last !== "turn.finished") throw new Error(`the flood ended with ${last}`);
    }),
  );
  console.log(process.resourceUsage().maxRSS);
}

function orderIn(place: string) {
  const [cwd, home, spool] = ["cwd", "home", "spool"].map((name) => join(place, name));
  for (const folder of [cwd, home, spool]) if (folder) mkdirSync(folder);
  const names = { run: "bench", pipeline: "flood", phase: "1 Flood", role: "flooder", instance: "", task: "" };
  return {
    ...names,
    effect: place,
    round: 1,
    attempt: 1,
    dialect: "completion" as const,
    nonce: "bench",
    prompt: "",
    cwd: cwd ?? "",
    home: home ?? "",
    spool: spool ?? "",
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await readFloods(process.argv[2] ?? "");
