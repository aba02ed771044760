import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { createVitest, type TestModule, type TestSpecificationOptions } from "vitest/node";
import type { Mutant } from "../breaks/break.ts";
import { ROOT, taggedFiles } from "./sources.ts";

export type MutantOrder = { readonly id: string; readonly change: Mutant };
export type MutantResult = {
  readonly id: string;
  readonly noticed: boolean;
  /** The test that noticed the break, or the reason why none did. */
  readonly why: string;
  readonly ms: number;
};

type Verdict = Omit<MutantResult, "id" | "ms">;

const COPIED = ["src", "test", "bin", "docs", "examples", "package.json", "vitest.config.ts", "tsconfig.json"];
const HEAVY =
  /^test\/(?:agents|cli|crash|lies|outcomes)\/|\/real\.test\.ts$|^src\/(?:drivers|hosts|processes|workspace)\//;
/** A missing rule may leave something waiting forever. */
const TEST_TIMEOUT_MS = 60_000;

/**
 * Tries one break after the other on one copy of the sources, with one warm Vitest, because starting either is slow.
 */
const [copy = ""] = process.argv.slice(2);
for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
const vitest = await createVitest("test", {
  root: copy,
  watch: false,
  reporters: [{}],
  pool: "threads",
  isolate: false,
  maxWorkers: 1,
  bail: 1,
  testTimeout: TEST_TIMEOUT_MS,
});
process.on("message", async (order: MutantOrder) => {
  const started = performance.now();
  const result = await tryBreak(order);
  process.send?.({ id: order.id, ...result, ms: Math.round(performance.now() - started) });
});
process.on("disconnect", async () => {
  await vitest.close();
  process.exit();
});
process.send?.("ready");

async function tryBreak({ id, change: { file, from, to } }: MutantOrder): Promise<Verdict> {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  const times = text.split(from).length - 1;
  if (times !== 1)
    return { noticed: false, why: `${file} has the text ${times} times, not once: ${takeFirstLine(from)}` };
  const files = taggedFiles(copy, id);
  if (files.length === 0) return { noticed: false, why: "no test carries its id" };
  const which = { testNamePattern: new RegExp(String.raw`\[${id}\]`) };
  edit(
    path,
    text.replace(from, () => to),
  );
  const broken = await findFirstFailure(files, which).finally(() => edit(path, text));
  return judgeBreak(broken, await isAlwaysFailing(broken));
}

/** Runs tests with real processes and disks only if the others noticed nothing. */
async function findFirstFailure(
  files: readonly string[],
  which: TestSpecificationOptions,
): Promise<readonly TestModule[]> {
  const { light = [], heavy = [] } = Object.groupBy(files, (file) => (HEAVY.test(file) ? "heavy" : "light"));
  const first = await runTests(light.length > 0 ? light : heavy, which);
  return light.length === 0 || heavy.length === 0 || listFailedTests(first).length > 0 ? first : runTests(heavy, which);
}

function edit(path: string, text: string): void {
  writeFileSync(path, text);
  vitest.invalidateFile(path);
}

async function runTests(files: readonly string[], which: TestSpecificationOptions): Promise<readonly TestModule[]> {
  const project = vitest.getRootProject();
  const paths = files.map((file) => join(copy, file));
  const specifications = paths.map((path) => project.createSpecification(path, which));
  const { testModules } = await vitest.runTestSpecifications(specifications);
  // Vitest returns every test that it has ever run.
  return testModules.filter(({ moduleId }) => paths.includes(moduleId));
}

const listFailedTests = (ran: readonly TestModule[]) =>
  ran.flatMap((module) => [...module.children.allTests("failed")]);

/** Returns whether the test that noticed also fails without the break, and so proves nothing. */
async function isAlwaysFailing(broken: readonly TestModule[]): Promise<boolean> {
  const [first] = listFailedTests(broken);
  if (!first) return false;
  const whole = await runTests([relative(copy, first.module.moduleId)], { testNames: [first.fullName] });
  return listFailedTests(whole).length > 0;
}

/** Accepts only a test that ran and failed: a program that no longer loads proves nothing about the rule. */
function judgeBreak(broken: readonly TestModule[], always: boolean): Verdict {
  const [first] = listFailedTests(broken);
  if (first && always) return { noticed: false, why: `fails without the break too: ${first.name}` };
  if (first) return { noticed: true, why: first.name };
  const [error] = broken.flatMap((module) => module.errors());
  if (error) return { noticed: false, why: `the changed program does not load: ${error.message}` };
  return { noticed: false, why: "its tests still pass" };
}

const takeFirstLine = (text: string): string => text.split("\n")[0] ?? "";
