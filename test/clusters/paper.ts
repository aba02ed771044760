import type { Question, Verbs } from "../../src/core/authoring/verbs.ts";
import type { AttemptRequest, Effect } from "../../src/core/journal/effect.ts";
import { clusters } from "../../src/pipelines/clusters/index.ts";
import { changesIn, type Files, type Play, paperWorld, treeOf } from "../support/answers/paper-world.ts";
import { anyInput, COMMANDS } from "../support/answers/scenario.ts";
import { lookAt, type People, type PlayedRun, toEnd, writtenBy } from "../support/played.ts";
import { stage } from "../support/stage.ts";

export { announced, commits, phasesOf, questions, roles } from "../support/played.ts";

export const pipeline = anyInput(clusters);
export const SLUG = "greet-people-by-name";
export const FOLDER = `docs/feature/${SLUG}`;

export type Part = (request: AttemptRequest) => Play;

/** Input of a dispatch. Every dispatch of this pipeline names its files. */
export type Given = {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly [key: string]: unknown;
};
// Every dispatch of this pipeline has such an object as its input.
export const given = (request: AttemptRequest): Given => request.input as Given;

/** Shortens a path below the feature's folder; other paths stay. */
export const short = (path: string): string => path.replace(`${FOLDER}/`, "");

/** Writes every requested file; `text` replaces the first one's content. */
export const writes =
  (text?: string, line: "DONE" | "NEEDS_REVISION" = "DONE"): Part =>
  (request) => {
    const paths = given(request).outputs.filter((path) => !path.includes("*"));
    const texts = paths.map((path, at): [string, string] => [
      path,
      (at === 0 ? text : undefined) ?? renderText(request),
    ]);
    return { contract: { line, message: "as asked" }, files: Object.fromEntries(texts) };
  };

const PARALLEL = /^(ct-(?!aggregator)|v-(?!aggregator)|r-(?!aggregator))|^researcher-/;

/** Reports with findings, so that there is something to join. */
const REPORTS = /^(ct-|v-t|v-f|r-[qst])/;

/** Text that an obedient agent writes. Only agents that work alone hand over memory entries. */
function renderText({ role, instance, round }: AttemptRequest): string {
  const found = REPORTS.test(role) && !role.endsWith("aggregator") ? `\n- [Minor] ${role} would say it shorter\n` : "";
  const memory = PARALLEL.test(instance || role)
    ? ""
    : `\n## Memory\n\n- ${role} decided something in round ${round}\n`;
  return `# ${role}\n\n## Summary\n\nAll is well.\n${found}${memory}`;
}

/** Writes a report without findings. */
export const quiet: Part = writes("# Report\n\nI looked, and all is well.\n");
/** Reports without findings for every cluster. */
export const QUIET: Readonly<Record<string, Part>> = Object.fromEntries(
  pipeline.roles.flatMap(({ name }) => (REPORTS.test(name) && !name.endsWith("aggregator") ? [[name, quiet]] : [])),
);

export const errs = (message = "it did not work"): Play => ({ contract: { line: "ERROR", message } });
export const revise = (text?: string): Part => writes(text, "NEEDS_REVISION");
export const fails: Part = () => errs();
/** Plays one part in the first round and another in later ones. */
export const first =
  (then: Part, later: Part = writes()): Part =>
  (request) =>
    (request.round === 1 ? then : later)(request);
export const crash: Play = { failure: { code: "agent_crashed", transient: true } };

export type TaskSpec = {
  readonly agent?: string;
  readonly depends_on?: readonly string[];
  readonly files?: readonly string[];
  readonly kind?: string;
  readonly behaviour_changes?: readonly object[];
};

export const taskFile = (id: string, { agent, depends_on = [], files, ...more }: TaskSpec = {}): Files => ({
  [`${FOLDER}/tasks/${id}.md`]: [
    "---",
    `id: ${id}`,
    ...(agent ? [`agent: ${agent}`] : []),
    `depends_on: [${depends_on.join(", ")}]`,
    `files: ${JSON.stringify(files ?? [`src/${id}.ts`])}`,
    ...Object.entries(more).map(([field, value]) => `${field}: ${JSON.stringify(value)}`),
    "---",
    `# ${id}`,
    "",
  ].join("\n"),
});

/** Plays a planner that writes these task files, or those of the second list in replan mode. */
export const plans =
  (tasks: Readonly<Record<string, TaskSpec>>, fixes: Readonly<Record<string, TaskSpec>> = {}): Part =>
  (request) => {
    const chosen = given(request)["mode"] === "replan" ? fixes : tasks;
    const files = Object.entries(chosen).map(([id, task]) => taskFile(id, task));
    const plan = writes()(request);
    return { ...plan, files: Object.assign({}, "files" in plan ? plan.files : {}, ...files) };
  };

/** Plays an implementer that writes this text into every file of its task. */
export const builds =
  (text: string, message = "built"): Part =>
  (request) => ({
    contract: { line: "DONE", message },
    files: Object.fromEntries(given(request).outputs.map((path) => [path, `${text}\n`])),
  });

const PARTS: Readonly<Record<string, Part>> = {
  planner: plans({ "01-greet": {}, "02-shout": { depends_on: ["01-greet"] } }, { "09-repair": {} }),
  implementer: (request) => builds(`export const round = ${request.round}; // ${request.task}`)(request),
  "documentation-writer": (request) => builds(`# Guide ${request.round}\n\n## Use\n\n## Limits`)(request),
};

export type Played = PlayedRun & {
  /** Last text written under each path, below the feature's folder. */
  readonly files: Files;
};

export type Setting = Pick<People, "answers"> & {
  /** Keyed by role or by instance. */
  readonly parts?: Readonly<Record<string, Part>>;
  readonly base?: Files;
  readonly dirt?: readonly string[];
  readonly commands?: readonly { readonly name: string; readonly run: string }[];
  readonly approvals?: "interactive" | "autonomous";
  readonly protectedPaths?: readonly string[];
  readonly input?: Readonly<Record<string, string>>;
  /** Receives every question as the pipeline asks it. */
  readonly asks?: (question: Question<string>) => void;
  readonly perform?: (effect: Effect, paper: (effect: Effect) => unknown) => unknown;
};

/** Runs the pipeline once on a memory host, to its end or to a question without an answer. */
export async function play(setting: Setting = {}): Promise<Played> {
  const { base = { "README.md": "# Greeting\n" }, commands = COMMANDS, dirt = [] } = setting;
  const all = { ...PARTS, ...setting.parts };
  const part: Part = (request) => (all[request.instance] ?? all[request.role] ?? writes())(request);
  const effects: Effect[] = [];
  const paper = paperWorld({ pipeline, base, commands, play: part, dirt });
  const { asks } = setting;
  const listening = (verbs: Verbs<unknown>): Verbs<unknown> => ({
    ...verbs,
    ask: (question) => {
      asks?.(question);
      return verbs.ask(question);
    },
  });
  const s = await stage({
    pipeline: asks ? { ...pipeline, body: (verbs: Verbs<unknown>) => pipeline.body(listening(verbs)) } : pipeline,
    perform: (effect) => {
      effects.push(effect);
      if (effect.kind === "merge") return mergeTrees(effect.request);
      return setting.perform ? setting.perform(effect, paper) : paper(effect);
    },
    order: {
      input: { request: "Greet people by name", ...setting.input },
      approvals: setting.approvals ?? "autonomous",
      commands: [...commands],
      protectedPaths: [...(setting.protectedPaths ?? [])],
    },
  });
  const run = await lookAt(s, effects, await toEnd(s, setting));
  const files = Object.entries(writtenBy(effects)).map(([path, text]) => [short(path), text]);
  return { ...run, files: Object.fromEntries(files) };
}

/** Merges like git, against the base: only a tree's own changes can conflict. */
function mergeTrees({ base, trees }: { readonly base: string; readonly trees: readonly string[] }): unknown {
  const before = changesIn(base);
  let all: Files = {};
  for (const [at, tree] of trees.entries()) {
    const own = Object.entries(changesIn(tree)).filter(([path, text]) => before[path] !== text);
    const conflicts = own.filter(([path, text]) => all[path] !== undefined && all[path] !== text).map(([path]) => path);
    if (conflicts.length > 0) return { clean: false, at, conflicts };
    all = { ...all, ...Object.fromEntries(own) };
  }
  return { clean: true, tree: { tree: treeOf({ ...before, ...all }) } };
}

/** Lists the dispatches, by instance if there is one. */
export const names = (played: Played): string[] => played.sent.map(({ role, instance }) => instance || role);
export const sentTo = (played: Played, name: string): AttemptRequest[] =>
  played.sent.filter(({ role, instance }) => role === name || instance === name);
export const inputsOf = (played: Played, name: string): Given[] => sentTo(played, name).map(given);
/** Returns the memory as the n-th dispatch of this agent got it. */
export const memorySeen = (played: Played, name: string, nth = 0): string =>
  sentTo(played, name)[nth]?.rendered.find(({ path }) => path === `${FOLDER}/memory.md`)?.text ?? "";
export const section = (memory: string, title: string): string =>
  memory.split(`## ${title}\n`)[1]?.split("\n## ")[0]?.trim() ?? "";
/** Lists a gate's decisions in order: the status that its rule received. */
export const decided = (played: Played, gate: string): unknown[] =>
  played.records.flatMap((record) => (record.type === "gate.evaluated" && record.gate === gate ? [record.actual] : []));
type Report = {
  readonly result: string;
  readonly warnings: readonly string[];
  readonly violations: readonly string[];
  readonly tier?: string;
};
/** Returns the run's own report at its end. */
export function report(played: Played): Report {
  const finished = played.records.findLast((record) => record.type === "run.finished");
  // `account.ts` makes every report of this pipeline.
  return finished?.report as unknown as Report;
}
