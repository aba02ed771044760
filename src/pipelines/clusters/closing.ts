import type { Decision } from "../../core/decision.ts";
import type { Verbs } from "../../core/verbs.ts";
import { DOCUMENTS, folderOf } from "./artifacts.ts";
import type { Feature } from "./feature.ts";
import type { Reviewed } from "./review.ts";
import { COMPLETE, redIn } from "./rules.ts";

/** The end: both clusters are content, or a person takes what verification left open; otherwise an error. */
export async function complete(verbs: Verbs<unknown>, feature: Feature, reviewed: Reviewed): Promise<Decision> {
  const { check, gate } = verbs;
  const { decision, verified } = reviewed;
  const { tree } = feature;
  const accepted = decision.passed && !verified.decision.passed && (await accepts(verbs, verified.decision));
  // What a person has accepted is no longer held against the tree; what came after it is.
  const baseline = accepted ? verified.tree : feature.base;
  const evidence = await check(tree, { baseline, task: "complete" });
  const about = { verified: verified.decision.passed || accepted, reviewed: decision.passed, red: redIn(evidence) };
  const done = await gate("complete", [COMPLETE], { ...about, tree: tree.tree });
  if (done.passed) return done;
  const open = [
    ...(about.verified ? [] : verified.decision.findings),
    ...(decision.passed ? [] : decision.findings),
    ...evidence.regressions,
    ...evidence.tamper,
  ];
  const waiting = verified.work.built.waiting.flat().map(({ id }) => `${id} was never started`);
  const issues = told([...open.map(({ message }) => message), ...waiting]);
  return feature.halt(`unresolved: ${issues.join("; ") || "see verifier.md and review.md"}`);
}

/** Each once, and none that is part of another. */
const told = (messages: readonly string[]): readonly string[] => {
  const once = [...new Set(messages)];
  return once.filter((message) => !once.some((other) => other !== message && other.includes(message)));
};

async function accepts({ ask }: Verbs<unknown>, decision: Decision): Promise<boolean> {
  const { choice } = await ask({
    title: "Verification ended with open findings. Accept them?",
    show: decision.findings,
    choices: ["accept", "refuse"],
    auto: "refuse",
    accepts: "accept",
  });
  return choice === "accept";
}

/** What waits for people: proposals that nobody has applied, and the log that later runs continue. */
export async function forPeople({ see }: Pick<Verbs<unknown>, "see">, feature: Feature): Promise<readonly string[]> {
  const there = await see("files", { under: folderOf(feature.slug), in: feature.tree });
  return [DOCUMENTS.suggestions, DOCUMENTS.decisions].map(feature.at).filter((path) => there.includes(path));
}
