import type { Decision } from "../../../core/authoring/decision.ts";
import type { End } from "../../../core/authoring/end.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { SentBack } from "../../../core/authoring/verbs.ts";
import { declareWork } from "../../work-kind.ts";
import { addIgnoreLines, formatTicketCommit, getTicketFolder, toYaml } from "../artifacts.ts";
import type { TicketContext } from "../context.ts";
import { DOCS_CACHE, isBook } from "../files/documents.ts";
import { createDocsCache, DOCS, readDocTexts } from "../preparing/docs.ts";
import type { TicketBase } from "../preparing/git-gate.ts";
import { findLayoutChanges } from "../preparing/layout.ts";
import { GREEN, ONLY_DOCS } from "../rules.ts";
import { refreshDocs } from "./docs-refresh.ts";
import { formatOutcomes, type ReviewedIteration } from "./review.ts";

type AcceptedWork = { readonly ground: TicketBase; readonly tree: Tree; readonly reviewed: ReviewedIteration };
type Final = { readonly tree: Tree; readonly decision: Decision; readonly refreshed: boolean };

/** Runs step O7: refreshes the documents if they are untrusted or the layout changed. */
export async function refreshBeforeCommit(context: TicketContext, accepted: AcceptedWork): Promise<Final> {
  const { ticketFiles, see, docs, skip, files, warned } = context;
  const { ground, tree, reviewed } = accepted;
  await ticketFiles.at("O7");
  const kept = { tree, decision: reviewed.decision, refreshed: false };
  const before = ground.parent === undefined ? files : await see("files", { under: "", in: ground.base });
  if (!docs.wanted) {
    skip("Docs refresh", "this repository has no such documents; create them with --input documents=write");
    return kept;
  }
  const changes = await see("changes", { from: ground.base, to: tree });
  const work = changes.filter(({ path }) => !isDoc(path));
  const layout = findLayoutChanges(before, work);
  if (docs.trusted && layout.length === 0) {
    skip("Docs refresh", "the documents are trusted and the layout did not change");
    return kept;
  }
  await ticketFiles.save({}, { event: "docs.refresh", message: docs.trusted ? layout.join(", ") : docs.trust_status });
  const changed = work.map(({ path }) => path);
  const asked = { tree, mode: "INCREMENTAL" as const, changed, layout };
  const refreshed = await warned("Initializer", await refreshDocs(context, asked));
  if (!refreshed || refreshed.changed.length === 0) return { ...kept, refreshed: refreshed !== undefined };
  const decision = await judgeDocs(context, accepted, refreshed.after);
  return decision.passed ? { tree: refreshed.after, decision, refreshed: true } : kept;
}

const isDoc = (path: string): boolean => DOCS.some((doc) => doc === path);

async function judgeDocs(
  { see, check, gate, jira }: TicketContext,
  { ground, tree, reviewed }: AcceptedWork,
  after: Tree,
) {
  const since = (await see("changes", { from: tree, to: after })).map((change) => change.path);
  const evidence = await check(after, { baseline: ground.base, task: jira });
  const about = { since, accepted: reviewed.decision.passed, evidence, conflicts: [], tree: after.tree };
  return gate("docs refresh", [ONLY_DOCS, GREEN], about);
}

type Closing = AcceptedWork & {
  readonly final: Final;
  readonly iterations: number;
  /** True if a person may still ask for another iteration. */
  readonly revisable: boolean;
};

/**
 * Commits the work, with the `.gitignore` lines for the ticket's files, and builds the final report.
 * @rule T-27 (declaration) The final output shows iterations, tasks, build, tests, branch and report.
 */
export async function commitTicket(
  context: TicketContext,
  { ground, reviewed, final, iterations, revisable }: Closing,
): Promise<End | SentBack> {
  const { ticketFiles, prompt, head, see, write, commit, note, input } = context;
  const { branch: named } = ticketFiles.progress();
  const ignored = await ignoreBooks(context, final.tree);
  const made = await commit(final.tree, {
    revisable,
    message: formatTicketCommit(prompt, { iteration: iterations, done: reviewed.done, ignored }),
    because: [final.decision],
    // A type derived from words is not a person's statement, so anything but a fix counts as a feature.
    ...declareWork(input, { parts: prompt.type === "fix" ? [{ kind: "fix" }] : [] }),
    // A checked-out branch is never moved; its owner lands the work.
    ...(head.branch === named ? {} : { branch: named }),
    ...(ground.parent === undefined ? {} : { parent: ground.parent }),
  });
  if ("sentBack" in made) return made;
  const { commit: id, branch } = made;
  if (final.refreshed) {
    const cache = createDocsCache(await readDocTexts({ see }, final.tree));
    await write(DOCS_CACHE, toYaml(cache), { to: "checkout" });
  }
  await ticketFiles.save({ status: "ACCEPTED" });
  const report = {
    iterations,
    tasks: ticketFiles.progress().metrics.tasks_completed,
    ...formatOutcomes(context, reviewed.evidence),
    branch,
    report: `${ticketFiles.folder()}/review_report.yaml`,
    commit: id,
  };
  await note(report);
  return { status: "done", reason: `development complete in ${iterations} iteration(s)`, report };
}

/** Returns the lines that were added. */
async function ignoreBooks({ see, write, files, jira }: TicketContext, tree: Tree): Promise<readonly string[]> {
  const file = await see("file", { path: ".gitignore", in: tree });
  // If the project stores files below `prompts/`, only the ticket's folder is ignored.
  const isShared = files.some((path) => path.startsWith("prompts/") && !isBook(path));
  const ignore = addIgnoreLines(file?.text ?? "", isShared ? `${getTicketFolder(jira)}/` : undefined);
  if (!ignore) return [];
  await write(".gitignore", ignore.text);
  return ignore.added;
}
