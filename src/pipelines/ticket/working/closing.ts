import type { Decision } from "../../core/decision.ts";
import type { End } from "../../core/end.ts";
import type { Tree } from "../../core/tree.ts";
import { commitMessage, ignoring, yamlOf } from "./artifacts.ts";
import type { Desk } from "./desk.ts";
import { cacheOf, textsIn } from "./docs.ts";
import { refreshDocs } from "./docs-refresh.ts";
import { DOCS_CACHE } from "./documents.ts";
import type { Ground } from "./git-gate.ts";
import { layoutChanges } from "./layout.ts";
import { type Reviewing, wordsOf } from "./review.ts";
import { GREEN, ONLY_DOCS } from "./rules.ts";

type Accepted = { readonly ground: Ground; readonly tree: Tree; readonly reviewed: Reviewing };
type Final = { readonly tree: Tree; readonly decision: Decision; readonly refreshed: boolean };

/** Step O7, before the commit: documents follow the work where they were not trusted or it changed the layout. */
export async function refreshBeforeCommit(desk: Desk, accepted: Accepted): Promise<Final> {
  const { book, see, docs, skip, files, warned } = desk;
  const { ground, tree, reviewed } = accepted;
  await book.at("O7");
  const kept = { tree, decision: reviewed.decision, refreshed: false };
  const before = ground.parent === undefined ? files : await see("files", { under: "", in: ground.base });
  const layout = layoutChanges(before, await see("changes", { from: ground.base, to: tree }));
  if (docs.trusted && layout.length === 0) {
    skip("Docs refresh", "the documents are trusted and the layout did not change");
    return kept;
  }
  await book.save({}, { event: "docs.refresh", message: docs.trusted ? layout.join(", ") : docs.trust_status });
  const refreshed = await warned("Initializer", await refreshDocs(desk, tree, "INCREMENTAL"));
  if (!refreshed || refreshed.changed.length === 0) return { ...kept, refreshed: refreshed !== undefined };
  const decision = await judgeDocs(desk, accepted, refreshed.after);
  return decision.passed ? { tree: refreshed.after, decision, refreshed: true } : kept;
}

async function judgeDocs({ see, check, gate, jira }: Desk, { ground, tree, reviewed }: Accepted, after: Tree) {
  const since = (await see("changes", { from: tree, to: after })).map((change) => change.path);
  const evidence = await check(after, { baseline: ground.base, task: jira });
  const about = { since, accepted: reviewed.decision.passed, evidence, conflicts: [], tree: after.tree };
  return gate("docs refresh", [ONLY_DOCS, GREEN], about);
}

type Closing = Accepted & { readonly final: Final; readonly iterations: number };

/** The commit, with the lines in `.gitignore` that keep the ticket's books out of it, and what people are told. */
export async function commitTicket(desk: Desk, { ground, reviewed, final, iterations }: Closing): Promise<End> {
  const { book, prompt, head, see, write, commit, note, input } = desk;
  const { kind } = input;
  const { branch: named } = book.progress();
  await ignoreBooks(desk, final.tree);
  const { commit: id, branch } = await commit(final.tree, {
    message: commitMessage(prompt, iterations),
    because: [final.decision],
    // The type of the prompt is read off its words: only what a person has said is declared.
    ...(kind === "fix" || kind === "feature" ? { declared: kind } : {}),
    // A branch that is checked out is never moved behind its owner's back: there the work is landed.
    ...(head.branch === named ? {} : { branch: named }),
    ...(ground.parent === undefined ? {} : { parent: ground.parent }),
  });
  if (final.refreshed) {
    const cache = cacheOf(await textsIn({ see }, final.tree));
    await write(DOCS_CACHE, yamlOf(cache), { to: "checkout" });
  }
  await book.save({ status: "ACCEPTED" });
  const report = {
    iterations,
    tasks: book.progress().metrics.tasks_completed,
    ...wordsOf(desk, reviewed.evidence),
    branch,
    report: `${book.folder()}/review_report.yaml`,
    commit: id,
  };
  await note(report);
  return { status: "done", reason: `development complete in ${iterations} iteration(s)`, report };
}

async function ignoreBooks({ see, write }: Desk, tree: Tree): Promise<void> {
  const file = await see("file", { path: ".gitignore", in: tree });
  const text = ignoring(file?.text ?? "");
  if (text !== undefined) await write(".gitignore", text);
}
