import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { often } from "../often.ts";
import type { RealWorld } from "../worlds/world.ts";
import { goOn, runOf, sceneOf, verdictOn } from "./real-run.ts";
import { seeded } from "./seeded.ts";

/** `SIGNALBOX_KILLS=200 npx vitest run test/crash/pipeline-kill.long.test.ts` for more. */
const POINTS = Number(process.env["SIGNALBOX_KILLS"] ?? often(2, 12));
/** Parallel processes: a kill must hit a run that is running, not one that waits for a processor. */
const LANES = 2;
/** Rules about crashes in a pipeline's own specification. */
const RULES: Readonly<Record<string, string>> = { ledger: "[L-28] " };

const WORLDS = fileURLToPath(new URL("../worlds/", import.meta.url));
const names = readdirSync(WORLDS).filter((name) => name.endsWith(".ts") && name !== "world.ts");
// Every file in this folder exports its world.
const worlds = await Promise.all(
  names.map(async (name) => ((await import(join(WORLDS, name))) as { world: RealWorld }).world),
);

type Hit = { readonly hit: boolean; readonly wrong: readonly string[] };

async function killRun(world: RealWorld, at: { killAfterMs: number; kept: readonly string[] }): Promise<Hit> {
  const scene = sceneOf(world);
  const name = `killed after ${Math.round(at.killAfterMs)} ms`;
  const first = await runOf(scene, at.killAfterMs);
  const last = first.code === null ? await goOn(scene) : first;
  const seen = verdictOn(scene);
  const wrong: string[] = [];
  if (last.code !== world.ends.exit) wrong.push(`${name}: left with ${last.code}: ${last.out.slice(-800)}`);
  if (seen.twice.length > 0) wrong.push(`${name}: started twice: ${seen.twice.join()}`);
  if (seen.commits !== world.ends.commits) wrong.push(`${name}: ${seen.commits} commits`);
  if (seen.kept.join() !== at.kept.join()) wrong.push(`${name}: other files: ${seen.kept.join()}`);
  scene.remove();
  return { hit: first.code === null, wrong };
}

/** Retries at half of the moment if the machine became faster and the run ended before the kill. */
async function killRunSooner(world: RealWorld, at: Parameters<typeof killRun>[1]): Promise<readonly Hit[]> {
  const seen = await killRun(world, at);
  if (seen.hit || at.killAfterMs < SOONEST_MS) return [seen];
  return [seen, ...(await killRunSooner(world, { ...at, killAfterMs: at.killAfterMs / 2 }))];
}

/** No run exists before this time. */
const SOONEST_MS = 100;

test.each(worlds.map((world) => [RULES[world.pipeline] ?? "", world.pipeline, world] as const))(
  "%sa whole %s run, killed at seeded moments and resumed, ends like an uninterrupted run",
  { timeout: 1_200_000 },
  async (_rule, pipeline, world) => {
    const calm = sceneOf(world);
    const { code, out, ms } = await runOf(calm);
    const { commits, kept, twice } = verdictOn(calm);
    expect({ code, commits, twice }, out.slice(-2_000)).toEqual({
      code: world.ends.exit,
      commits: world.ends.commits,
      twice: [],
    });
    expect(out).toContain(`"status":"${world.ends.status}"`);
    expect(kept).toHaveLength(world.keeps.length);
    calm.remove();
    const random = seeded(23);
    const moments = Array.from({ length: POINTS }, () => (0.05 + 0.95 * random()) * ms);
    const all: Hit[] = [];
    const from = performance.now();
    const lane = async (): Promise<void> => {
      for (let killAfterMs = moments.shift(); killAfterMs !== undefined; killAfterMs = moments.shift())
        all.push(...(await killRunSooner(world, { killAfterMs, kept })));
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const wrong = all.flatMap((each) => each.wrong);
    const hits = all.filter((each) => each.hit).length;
    const seconds = Math.round((performance.now() - from) / 1000);
    console.log(
      `SIGKILL of whole ${pipeline} runs: ${hits} of ${POINTS} hit, ${seconds} s, ${wrong.length} violations`,
    );
    for (const each of wrong) console.log(each);
    expect(wrong).toEqual([]);
    expect(hits).toBe(POINTS);
  },
);
