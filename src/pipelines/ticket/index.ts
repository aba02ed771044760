import { stringify } from "yaml";
import { z } from "zod";
import type { Decision } from "../../core/decision.ts";
import { definePipeline } from "../../core/pipeline.ts";
import { never } from "../../core/retry.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import { CACHE, DOC_FILES } from "./docs.ts";
import { executeGroups, singleTask } from "./execution.ts";
import { gitGate } from "./git-gate.ts";
import { plan, split } from "./planning.ts";
import { developer, initializer, interpreter, planner, reviewer, splitter } from "./roles.ts";
import { ACCEPTED, changesArchitecture, GREEN, ONLY_DOCS } from "./rules.ts";
import { type Started, startUp } from "./startup.ts";
import { isTrivial } from "./tasks-file.ts";

const ITERATIONS = 5;
const SUBJECT_LENGTH = 71;

const Input = z.strictObject({
  request: z.string().min(1),
  ticket: z
    .string()
    .regex(/^[A-Z]+-\d+$/)
    .optional(),
});

export const ticket = definePipeline(
  {
    name: "ticket",
    about: "Takes one ticket through plan, tasks, group builds and review, up to five times, to a commit on its branch",
    version: 1,
    input: Input,
    dialect: "status",
    cap: 8,
    retry: never(),
    phases: [
      { title: "Startup", roles: [interpreter] },
      { title: "Planning", roles: [planner, initializer] },
      { title: "Splitting", roles: [splitter] },
      { title: "Git gate", roles: [] },
      { title: "Task execution", roles: [developer, reviewer], next: ["Review", "Docs refresh"] },
      { title: "Review", roles: [reviewer], next: ["Planning", "Docs refresh"] },
      { title: "Docs refresh", roles: [initializer] },
      { title: "Commit", roles: [] },
    ],
  },
  async (verbs) => {
    const { phase, loop, commit } = verbs;

    phase("Startup");
    const started = await startUp(verbs);
    const { base, book, prompt, branch } = started;
    await ignoreBooks(verbs, base);
    let tree: Tree = base;
    let report: unknown = null;

    const result = await loop({ max: ITERATIONS }, async ({ round, findings }) => {
      phase("Planning");
      await book.save({ iteration_number: round - 1, tasks_completed: 0, current_step: "O1" });
      const planned = await plan(verbs, started, { tree, findings, report });
      tree = planned.tree;
      phase("Splitting");
      const tasks = await split(verbs, started, planned);
      await book.keepTasks(tasks, []);
      phase("Git gate");
      await gitGate(verbs, started);

      phase("Task execution");
      await book.save({ current_phase: "TASK_EXECUTION", current_step: "O5" });
      const place = { verbs, started, all: tasks };
      const [only] = tasks.tasks;
      if (only && isTrivial(tasks)) {
        tree = await singleTask(place, { task: only, tree, review: false });
        return { decision: await acceptTrivial(verbs, started, tree) };
      }
      tree = await executeGroups(place, tree);

      phase("Review");
      const reviewed = await reviewIteration(verbs, started, tree);
      report = reviewed.report;
      return { decision: reviewed.decision };
    });
    if (result.ended !== "passed") {
      await book.save({ status: "REJECTED" });
      return { status: "error", limit: true, reason: "MAXIMUM ITERATIONS REACHED (5/5). STOPPING." };
    }

    phase("Docs refresh");
    const final = await refreshDocs(verbs, started, { accepted: result.decision, tree });
    phase("Commit");
    const message = commitMessage(prompt, result.rounds);
    const { commit: id } = await commit(final.tree, { message, branch, because: [final.decision] });
    await book.save({ status: "ACCEPTED" }, "iteration.accepted");
    const tasks = book.progress().tasks_total;
    return { status: "done", report: { iterations: result.rounds, tasks, branch, commit: id } };
  },
);

/** The ticket's books stay out of the history; the line that says so is part of the work. */
async function ignoreBooks({ see, write }: Verbs<unknown>, base: Tree): Promise<void> {
  const file = await see("file", { path: ".gitignore", in: base });
  const lines = (file?.text ?? "").split("\n");
  const missing = ["prompts/", CACHE].filter((line) => !lines.includes(line));
  if (missing.length === 0) return;
  const text = file?.text ?? "";
  await write(".gitignore", `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${missing.join("\n")}\n`);
}

async function acceptTrivial(
  { check, gate }: Verbs<unknown>,
  { book, base, commands }: Started,
  tree: Tree,
): Promise<Decision> {
  const evidence = await check(tree, { baseline: base });
  const state = (name: string) => (commands[name] ? "PASSED" : "NOT_AVAILABLE");
  const report = {
    status: "ACCEPTED",
    mode: "auto-accept-trivial",
    build: state("build"),
    tests: state("test"),
    files_verified: true,
  };
  await book.keep("review_report.yaml", stringify(report));
  await book.save({ cycle_acceleration_mode: "trivial_graph", tasks_completed: 1 }, "trivial.auto_accept");
  return gate("iteration", [GREEN], { evidence, conflicts: [], tree: tree.tree });
}

/** Step O6: one review of everything; its report is what the next iteration plans from. */
async function reviewIteration({ agent, check, gate }: Verbs<unknown>, started: Started, tree: Tree) {
  const { book, base, prompt } = started;
  await book.save({ current_phase: "REVIEW", current_step: "O6" });
  const evidence = await check(tree, { baseline: base, task: prompt.jira });
  const tests = started.commands["test"] ? "available" : "NOT_AVAILABLE";
  const input = { mode: "prompt-review", prompt, evidence, tests };
  const report = await agent(reviewer, input, { in: tree });
  await book.keep("review_report.yaml", stringify(report));
  const about = { report, evidence, conflicts: [], tree: tree.tree };
  return { report, decision: await gate("iteration", [ACCEPTED, GREEN], about) };
}

type Accepted = { readonly accepted: Decision; readonly tree: Tree };

/** Step O7, before the commit: documents follow the work where they were not trusted or it changed the layout. */
async function refreshDocs(verbs: Verbs<unknown>, { book, base, docs }: Started, { accepted, tree }: Accepted) {
  const { attempt, see, check, gate, skip } = verbs;
  await book.save({ current_phase: "DOC_REFRESH", current_step: "O7" }, "docs.refresh");
  const changes = await see("changes", { from: base, to: tree });
  let last = tree;
  if (!docs.trusted || changesArchitecture(changes)) {
    const refreshed = await attempt(initializer, { mode: "INCREMENTAL", changes }, { in: tree, writes: DOC_FILES });
    if (refreshed.ok) last = refreshed.value.after;
  } else skip("Docs refresh", "the documents are trusted and the layout did not change");
  const since = (await see("changes", { from: tree, to: last })).map((change) => change.path);
  const evidence = await check(last, { baseline: base });
  const about = { since, accepted: accepted.passed, evidence, conflicts: [], tree: last.tree };
  const decision = await gate("docs refresh", [ONLY_DOCS, GREEN], about);
  return { tree: last, decision };
}

function commitMessage(prompt: { type: string; jira: string; refined_prompt: string }, iteration: number): string {
  const type = prompt.type === "feature" ? "feat" : prompt.type;
  const subject = `${type}(${prompt.jira}): complete iteration ${iteration} — ${prompt.refined_prompt}`;
  return subject.split("\n")[0]?.slice(0, SUBJECT_LENGTH).trim() ?? subject;
}
