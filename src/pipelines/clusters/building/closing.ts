import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import type { Evidence, Verbs } from "../../core/verbs.ts";
import { DOCUMENTS, folderOf } from "./artifacts.ts";
import type { Feature } from "./feature.ts";
import { isSerious } from "./findings.ts";
import type { Reviewed } from "./review.ts";
import { COMPLETE, redIn, WORKED } from "./rules.ts";
import type { Verified } from "./verification.ts";

/** The end: the review is content and nothing is red. What verification left open is told, whatever the end. */
export async function complete(verbs: Verbs<unknown>, feature: Feature, reviewed: Reviewed): Promise<Decision> {
  const { check, gate, see } = verbs;
  const { decision, verified } = reviewed;
  const { tree } = feature;
  const evidence = await check(tree, { baseline: feature.base, task: "complete" });
  const touched = await see("changes", { from: feature.base, to: tree });
  const changed = touched.map(({ path }) => path).filter((path) => !path.startsWith(feature.at("")));
  const about = { reviewed: decision.passed, red: redIn(evidence), changed, tree: tree.tree };
  const done = await gate("complete", [COMPLETE, WORKED], about);
  const open = openIn(verified);
  if (open.length > 0) await feature.tell({ open });
  if (done.passed) return done;
  const idle = WORKED.judge(about).findings ?? [];
  const against = [...(decision.passed ? [] : decision.findings), ...worseIn(evidence), ...idle];
  const issues = told([...open, ...against.map(({ message }) => message)]);
  return feature.halt(`unresolved: ${issues.join("; ") || "see verifier.md and review.md"}`);
}

/** What verification found and nobody settled, and what was never begun. */
function openIn({ decision, work }: Verified): readonly string[] {
  if (decision.passed) return [];
  const waiting = work.built.waiting.flat().map(({ id }) => `${id} was never started`);
  return told([...decision.findings.map(({ message }) => message), ...waiting]);
}

const worseIn = ({ regressions, tamper, findings }: Evidence): readonly Finding[] => [
  ...regressions,
  ...tamper,
  ...findings.filter(isSerious),
];

/** Each once, and none that is part of another. */
const told = (messages: readonly string[]): readonly string[] => {
  const once = [...new Set(messages)];
  return once.filter((message) => !once.some((other) => other !== message && other.includes(message)));
};

/** What waits for people: proposals that nobody has applied, and the log that later runs continue. */
export async function forPeople({ see }: Pick<Verbs<unknown>, "see">, feature: Feature): Promise<readonly string[]> {
  const there = await see("files", { under: folderOf(feature.slug), in: feature.tree });
  return [DOCUMENTS.suggestions, DOCUMENTS.decisions].map(feature.at).filter((path) => there.includes(path));
}
