import { z } from "zod";
import { BASE_TREE, stage, world } from "../../../../test/support/stage.ts";
import type { Announcement } from "../../../core/authoring/announcement.ts";
import { definePipeline } from "../../../core/authoring/pipeline.ts";
import { valueRule } from "../../../core/authoring/rule.ts";
import type { CommitOptions } from "../../../core/authoring/verbs.ts";
import type { TestNames } from "../../../core/checks/reports/test-report.ts";
import type { ExamRequest, ExamTrees, Inspection } from "../../../core/journal/effect.ts";
import type { RunOrder } from "../../engine.ts";
import type { LostTests } from "./lost-tests.ts";

const FINE = valueRule({ id: "FINE", because: "a gate that says yes", judge: () => ({ passed: true }) });

/** How a command ends on a tree: an exit code, or its tests by name. */
export type End = number | TestNames | { readonly notRun: string } | Short;
/** All tests pass, but coverage is below the required level. */
export type Short = { readonly covered: TestNames };

type Scene = {
  /** Ends by tree, or by tree and command: `old-on-new test`. */
  readonly ends: Readonly<Record<string, End | readonly End[]>>;
  readonly exam?: Partial<ExamTrees>;
  /** A tree that the same run committed before, and the exam by its tests. */
  readonly below?: { readonly tree: string; readonly exam: Partial<ExamTrees> };
  readonly announced?: readonly Announcement[];
  /** Announced afterwards, for other work. */
  readonly instead?: readonly Announcement[];
  readonly declared?: CommitOptions["declared"];
  readonly assumed?: true;
  /** The tree that is committed after the work was sent back; if absent, work cannot be sent back. */
  readonly again?: string;
  /** The exam of that tree, if it differs. */
  readonly examAgain?: Partial<ExamTrees>;
  readonly tree?: string;
  readonly order?: Partial<RunOrder>;
  /** Globs of the pipeline's documents, and the tree without them. */
  readonly documents?: readonly string[];
  /** The result of comparing the tests. */
  readonly lost?: LostTests;
  readonly without?: string;
};

/** Drives a pipeline that never checks anything, with a gate that passes everything. */
export async function runCommit(scene: Scene) {
  const { ends, exam, below, announced = [], instead, declared, tree = "new", order, documents, without, lost } = scene;
  const { again, assumed, examAgain } = scene;
  const kind = { ...(declared ? { declared } : {}), ...(assumed ? { assumed } : {}) };
  const [ran, lines]: [string[], string[]] = [[], []];
  const asked: NonNullable<Inspection["tests"]>[] = [];
  let commits = 0;
  const rest = world(() => ({}));
  const pipeline = definePipeline(
    {
      name: "own",
      about: "",
      version: 1,
      input: z.unknown(),
      dialect: "json",
      phases: [{ title: "One" }],
      cap: 1,
      ...(documents ? { documents } : {}),
    },
    async ({ phase, gate, announce, commit }) => {
      phase("One");
      await announce(announced);
      if (instead) await announce(instead, { instead: true });
      if (below) {
        const fine = await gate("below", [FINE], { tree: below.tree });
        await commit({ tree: below.tree }, { message: "work before", because: [fine] });
      }
      const because = [await gate("g", [FINE], { tree })];
      if (again === undefined) await commit({ tree }, { message: "work", because, ...kind });
      else {
        const made = await commit({ tree }, { message: "work", because, ...kind, revisable: true });
        const fine = await gate("again", [FINE], { tree: again });
        if ("sentBack" in made)
          await commit({ tree: again }, { message: "again", because: [fine], ...kind, revisable: true });
      }
      return { status: "done", confidence: "high" };
    },
  );
  const composed = (request: ExamRequest) => {
    const isFirst = request.old === BASE_TREE;
    if (examAgain && request.new === again) return { exam: [], code: ["a.js"], inseparable: [], ...examAgain };
    const found = request.new === below?.tree ? {} : isFirst ? exam : below?.exam;
    return { exam: [], code: ["a.js"], inseparable: [], ...found };
  };
  const s = await stage({
    pipeline,
    order: { commands: [{ name: "test", run: "npm test" }], ...order },
    perform: (effect, signal) => {
      if (effect.kind === "exam") return composed(effect.request);
      if (effect.kind === "without") return { tree: without };
      if (effect.kind === "commit") commits += 1;
      if (effect.kind !== "check") return rest(effect, signal);
      const { inspect } = effect.request;
      asked.push(...testsIn(inspect));
      if (inspect) return comparedWith(lost);
      return effect.request.commands.map(({ name, run }) => {
        const tree = effect.request.tree === BASE_TREE ? "base" : effect.request.tree;
        ran.push(tree);
        lines.push(`${tree} ${name}`);
        const said = ends[`${tree} ${name}`] ?? ends[tree] ?? 0;
        const time = ran.filter((each) => each === ran.at(-1)).length;
        return { name, command: run, ms: 1, digest: "d", snippet: "", ...resultOf(nth(said, time)) };
      });
    },
  });
  const driven = await s.drive();
  const records = await s.records();
  const end = records.findLast((record) => record.type === "run.finished");
  const question = records.findLast((record) => record.type === "approval.requested");
  return { s, ran, lines, asked, driven, end, question, commits: () => commits };
}

const testsIn = (inspect: Inspection | undefined) => (inspect?.tests ? [inspect.tests] : []);

const comparedWith = (lost: LostTests | undefined) => (lost ? [{ ...PASSED, name: "lost-tests", lost }] : []);

const PASSED = { command: "", exitCode: 0, ms: 0, digest: "", snippet: "" };

function nth(said: End | readonly End[], time: number): End {
  const list: readonly End[] = Array.isArray(said) ? said : [said as End];
  return list[Math.min(time, list.length) - 1] ?? 0;
}

/** Output of a failing command that names no tests. */
const SAID = { snippet: "at work\nAssertionError: 1 is not 2\nbye", output: "effect/1.1/abc" };

const isShort = (end: Exclude<End, number>): end is Short => typeof Object(end).covered === "object";

function resultOf(end: End): object {
  if (typeof end === "number") return { exitCode: end, ...(end === 0 ? {} : SAID) };
  if (isShort(end)) return { ...resultOf(end.covered), exitCode: 1, isShortOfCoverage: true as const };
  if (typeof end["notRun"] === "string" && !["passed", "failed", "skipped"].includes(end["notRun"]))
    return { exitCode: 127, notRun: end["notRun"] };
  const names = end as TestNames;
  const count = (word: string) => Object.values(names).filter((each) => each === word).length;
  const tests = {
    total: Object.keys(names).length,
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
  };
  return { exitCode: tests.failed > 0 ? 1 : 0, tests: { ...tests, source: "tap", asked: true, names } };
}

export const BOTH = { "t.js › a": "passed", "t.js › b": "passed" } as const;
export const EXAM = { exam: ["t.js"], oldOnNew: "old-on-new", newOnOld: "new-on-old" };
