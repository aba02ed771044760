import { parse, stringify } from "yaml";
import { checkSyntax } from "../../src/core/checks/guard/syntax-check.ts";
import type { TestCounts } from "../../src/core/checks/reports/test-report.ts";
import type { AttemptRequest, Effect } from "../../src/core/journal/effect.ts";
import { LogLine } from "../../src/pipelines/ticket/files/log.ts";
import { Progress } from "../../src/pipelines/ticket/files/progress.ts";
import { ticket } from "../../src/pipelines/ticket/index.ts";
import { changesIn, type Files, type Play, paperWorld, THREE_TESTS } from "../support/answers/paper-world.ts";
import { anyInput, COMMANDS, cast } from "../support/answers/scenario.ts";
import { finishedOf, lookAt, type People, type PlayedRun, sentTo, toEnd } from "../support/played.ts";
import { quickWorld, stage } from "../support/stage.ts";

export { afterPreflight, announced, commits, inputsOf, questions, roles, sentTo } from "../support/played.ts";

export const pipeline = anyInput(ticket);
export const FOLDER = "prompts/ABC-12";
export const REQUEST = "ABC-12: Add three small modules to the greeter.";
export const BRANCH = "feature/ABC-12_add_three_small";

export const task = (id: string, group: string, more: object = {}) => ({
  id,
  description: `Build ${id}`,
  files_to_modify: [`src/${id}.ts`],
  success_criteria: ["it builds"],
  parallel_group: group,
  depends_on: [],
  status: "PENDING",
  ...more,
});

type Order = { group: string; strategy: "parallel" | "sequential"; tasks: string[] };
/** Creates a tasks.yaml with these groups, `A: [T1, T2]` in parallel unless `strategy` differs. */
export function graph(tasks: readonly ReturnType<typeof task>[], more: object = {}): object {
  const order: Order[] = [];
  for (const { id, parallel_group: group } of tasks) {
    const entry = order.find((each) => each.group === group);
    if (entry) entry.tasks.push(id);
    else order.push({ group, strategy: "sequential", tasks: [id] });
  }
  for (const entry of order) if (entry.tasks.length > 1) entry.strategy = "parallel";
  return {
    validation_policy: {},
    tasks,
    parallel_groups: Object.fromEntries(order.map((entry) => [entry.group, entry.tasks])),
    execution_order: order,
    strategy: "mixed",
    ...more,
  };
}
/** Two parallel tasks, then one that needs the first. */
export const GRAPH = graph([task("T1", "A"), task("T2", "A"), task("T3", "B", { depends_on: ["T1"] })]);
/** Two sequential tasks, each reviewed. */
export const LINE = graph([task("T1", "A"), task("T2", "B")]);
export const TRIVIAL = graph([task("T1", "A")]);

type Part = (request: AttemptRequest) => Play;
export const DONE = { status: "DONE" };
export const inputOf = (request: AttemptRequest): Record<string, unknown> =>
  // Every dispatch of this pipeline has an object as its input.
  request.input as Record<string, unknown>;
const formatIterationFolder = (request: AttemptRequest): string =>
  `${FOLDER}/iteration_${String(inputOf(request)["iteration"])}`;

export const plans =
  (tasks: object | undefined, plan = "# Plan\n\nAdd modules.\n"): Part =>
  (request) => ({
    contract: DONE,
    files: {
      [`${formatIterationFolder(request)}/plan.md`]: plan,
      ...(tasks && { [`${formatIterationFolder(request)}/tasks.yaml`]: stringify(tasks) }),
    },
  });
export const splits =
  (tasks: object): Part =>
  () => ({ contract: DONE, files: { [`${FOLDER}/iteration_0/tasks.yaml`]: stringify(tasks) } });
/** Plays a developer that writes this text into the task's own file. */
export const builds =
  (text: (request: AttemptRequest) => string, more: (request: AttemptRequest) => Files = () => ({})): Part =>
  (request) => ({ contract: DONE, files: { [`src/${request.task}.ts`]: text(request), ...more(request) } });
export const reviews =
  (verdict: (request: AttemptRequest) => object): Part =>
  (request) => ({ contract: { criteria: [], ...verdict(request) } });
export const isTaskReview = (request: AttemptRequest): boolean => inputOf(request)["mode"] === "task-review";
export const fails = (code = "agent_crashed"): Play => ({
  failure: code === "agent_crashed" ? { code, transient: true } : { code },
});

export const DOC_FILES: Files = {
  "docs/ARCHITECTURE.md": "# Architecture\n",
  "docs/CODE_STYLE.md": "# Style\n",
  "docs/FINDINGS.md": "# Findings\n",
};
const ANSWERS: Readonly<Record<string, Part>> = {
  Initializer: () => ({ contract: DONE, files: DOC_FILES }),
  Planner: plans(GRAPH),
  Developer: builds(({ task: id }) => `export const ${id} = 1;\n`),
  Reviewer: reviews(() => ({ status: "ACCEPTED" })),
};

export type Setting = Pick<People, "answers"> & {
  readonly parts?: Readonly<Record<string, Part>>;
  readonly base?: Files;
  /** Files of the user's checkout, and the uncommitted ones. */
  readonly checkout?: Files;
  readonly dirt?: readonly string[];
  readonly commands?: readonly { readonly name: string; readonly run: string }[];
  /** Report of the command `test` if it is green; "nothing" for output without test counts. */
  readonly tests?: TestCounts | "nothing";
  readonly approvals?: "interactive" | "autonomous";
  readonly request?: string;
  readonly ticket?: string;
  readonly kind?: "fix" | "feature" | "unstated";
  readonly documents?: "keep" | "write";
  /** Replaces single reads of the world, by name. */
  readonly sees?: Readonly<Record<string, unknown>>;
  readonly branch?: (name: string) => { tree: string; commit: string; subjects: readonly string[] } | undefined;
  readonly perform?: (effect: Effect, paper: (effect: Effect) => unknown) => unknown;
  /** Called for every read of the time. */
  readonly clock?: () => number;
};

export type Played = PlayedRun & {
  readonly report: Readonly<Record<string, unknown>>;
  /** All writes below `prompts/ABC-12`, in order. */
  readonly written: readonly { readonly path: string; readonly text: string }[];
};

/** Runs the pipeline once on a memory host, to its end or to a question without an answer. */
export async function play(setting: Setting = {}): Promise<Played> {
  const effects: Effect[] = [];
  const commands = setting.commands ?? COMMANDS;
  const { request = REQUEST, documents = "write" } = setting;
  const paper = paperOf(setting);
  const s = await stage({
    pipeline,
    perform: (effect) => {
      effects.push(effect);
      return setting.perform ? setting.perform(effect, paper) : paper(effect);
    },
    world: { ...quickWorld(), ...(setting.clock ? { now: setting.clock } : {}) },
    order: {
      input: {
        request,
        documents,
        ...(setting.ticket === undefined ? {} : { ticket: setting.ticket }),
        // No file on paper is a test, so no test could be red without the work.
        ...(setting.kind === "unstated" ? {} : { kind: setting.kind ?? "chore" }),
      },
      approvals: setting.approvals ?? "autonomous",
      commands: [...commands],
    },
  });
  const run = await lookAt(s, effects, await toEnd(s, setting));
  return {
    ...run,
    report: (finishedOf(run.records)?.report ?? {}) as Record<string, unknown>,
    written: effects.flatMap((effect) =>
      effect.kind === "write"
        ? [{ path: effect.request.path.replace(`${FOLDER}/`, ""), text: effect.request.text }]
        : [],
    ),
  };
}

/** The paper world with a checkout, the engine's own checks, and replaced reads. */
export function paperOf(setting: Setting): (effect: Effect) => unknown {
  const base = setting.base ?? { "README.md": "# Greeting\n", "src/old.ts": "export {};\n" };
  const { checkout = {}, sees = {}, tests = THREE_TESTS } = setting;
  const paper = paperWorld({
    pipeline,
    base,
    commands: setting.commands ?? COMMANDS,
    play: cast({ ...ANSWERS, ...setting.parts }),
    checkout: (path) => checkout[path],
    dirt: setting.dirt ?? [],
    ...(tests === "nothing" ? {} : { tests }),
    ...(setting.branch ? { branch: setting.branch } : {}),
  });
  return (effect) => {
    if (effect.kind === "check" && effect.request.inspect) return inspectTrees(base, effect);
    if (effect.kind !== "see") return paper(effect);
    const { what, args } = effect.request;
    const { under = "", in: tree } = (args ?? {}) as { under?: string; in?: { tree: string } };
    if (what in sees) return sees[what];
    if (what !== "files" || (tree && under !== "")) return paper(effect);
    const all = tree ? { ...base, ...changesIn(tree.tree) } : checkout;
    return below(under, Object.keys(all));
  };
}

const below = (folder: string, paths: readonly string[]): readonly string[] =>
  paths.filter((path) => folder === "" || path.startsWith(`${folder}/`)).sort();

/** Answers the `parses` check; nothing on paper is tampered with. */
function inspectTrees(base: Files, { request }: Extract<Effect, { kind: "check" }>): object[] {
  const texts = (tree: string | undefined): Files => ({ ...base, ...changesIn(tree ?? "") });
  const [before, after] = [texts(request.inspect?.baseline), texts(request.tree)];
  const paths = Object.keys(after).filter((path) => before[path] !== after[path]);
  const findings = checkSyntax(paths.map((path) => ({ path, before: before[path], after: after[path] })));
  const snippet = findings.map(({ message }) => message).join("; ");
  const own = { command: "signalbox", ms: 0, digest: "" };
  return [
    { ...own, name: "tamper", exitCode: 0, snippet: "", findings: [] },
    { ...own, name: "parses", exitCode: findings.length === 0 ? 0 : 1, snippet, findings },
  ];
}

/** Formats as `task@attempt`. */
export const developed = (played: Played): string[] =>
  sentTo(played, "Developer").map((request) => `${request.task}@${String(inputOf(request)["attempt"])}`);
export const textOf = (played: Played, path: string): string | undefined =>
  played.written.findLast((file) => file.path === path)?.text;
export const yamlIn = (played: Played, path: string): Record<string, unknown> => parse(textOf(played, path) ?? "");
/** Lists every state of progress.yaml. */
export const progressOf = (played: Played): Progress[] =>
  played.written.filter(({ path }) => path === "progress.yaml").map(({ text }) => Progress.parse(parse(text)));
export const logOf = (played: Played): LogLine[] =>
  (textOf(played, "log.jsonl") ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => LogLine.parse(JSON.parse(line)));
export const events = (played: Played): string[] =>
  logOf(played).map(({ event }) => event.replace("orchestrator.", ""));
/** Lists the trees on which commands ran, with their names and folder. */
export const checks = (played: Played) =>
  played.effects.flatMap((effect) => (effect.kind === "check" && !effect.request.inspect ? [effect.request] : []));
/** Lists the statuses of tasks, per write of tasks.yaml. */
export const statuses = (played: Played, iteration = 0): Record<string, string>[] =>
  played.written
    .filter(({ path }) => path === `iteration_${iteration}/tasks.yaml`)
    .map(({ text }) =>
      Object.fromEntries(
        (parse(text) as { tasks: { id: string; status: string }[] }).tasks.map(({ id, status }) => [id, status]),
      ),
    );
