import type { CheckedCommand, Inspection } from "../../core/effect.ts";
import { type ChangedText, parsedPaths, parseFindings } from "../../core/evidence/parses.ts";
import { scopeFindings } from "../../core/evidence/scope.ts";
import { guardFindings, type TamperQuestion, weakenedFindings } from "../../core/evidence/tamper.ts";
import type { Finding } from "../../core/finding.ts";
import type { Workspace } from "../../core/ports/workspace.ts";
import type { Change } from "../../core/sight.ts";

/** Larger files are judged by their name alone. */
const TEXT_LIMIT = 8 * 1024 * 1024;

/** The engine's own checks of a tree against the one that the work started from. */
export async function inspect(workspace: Workspace, tree: string, inspection: Inspection): Promise<CheckedCommand[]> {
  const { baseline, declared, protectedPaths, testCounts } = inspection;
  const changes = await workspace.changes(baseline, tree);
  const texts = await Promise.all(changes.map((change) => withTexts(workspace, { change, baseline, tree })));
  const changed = changes.map((change) => change.path);
  return [
    ...(declared ? [resultOf("scope", scopeFindings({ changed, declared }))] : []),
    tamperResult({ changes: texts, protectedPaths, ...(testCounts ? { testCounts } : {}) }),
    ...parsesResult(texts),
  ];
}

/** Where no file is of a kind that it reads it has not looked, and what has not looked has not passed. */
function parsesResult(texts: readonly ChangedText[]): readonly CheckedCommand[] {
  const read = parsedPaths(texts);
  if (read.length === 0) return [];
  const result = resultOf("parses", parseFindings(texts));
  const others = texts.length - read.length;
  const unread = others > 0 ? `; did not look at ${others} of another kind` : "";
  return [result.exitCode === 0 ? { ...result, snippet: `read ${read.join(", ")}${unread}`.slice(0, 500) } : result];
}

async function withTexts(
  workspace: Workspace,
  at: { readonly change: Change; readonly baseline: string; readonly tree: string },
): Promise<Change & ChangedText> {
  const { change } = at;
  const before = change.status === "added" ? null : await workspace.file(change.path, at.baseline);
  const after = change.status === "deleted" ? null : await workspace.file(change.path, at.tree);
  return { ...change, ...small("before", before?.text), ...small("after", after?.text) };
}

function small<K extends string>(name: K, text: string | undefined): { [key in K]?: string } {
  // One property, named by the caller.
  return text === undefined || text.length > TEXT_LIMIT ? {} : ({ [name]: text } as { [key in K]?: string });
}

/** What an exam can decide is kept apart. */
function tamperResult(question: TamperQuestion): CheckedCommand {
  const suspected = weakenedFindings(question);
  const result = resultOf("tamper", [...guardFindings(question), ...suspected]);
  return suspected.length > 0 ? { ...result, suspected } : result;
}

function resultOf(name: string, findings: readonly Finding[]): CheckedCommand {
  return {
    name,
    command: `signalbox ${name}`,
    exitCode: findings.length === 0 ? 0 : 1,
    ms: 0,
    digest: "",
    snippet: findings
      .map((finding) => finding.message)
      .join("; ")
      .slice(0, 500),
    findings,
  };
}
