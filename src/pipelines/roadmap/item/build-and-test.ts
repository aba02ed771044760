import type { Finding } from "../../core/finding.ts";
import type { Json } from "../../core/json.ts";
import type { Tree } from "../../core/tree.ts";
import { ADR_FOLDER } from "./adr.ts";
import type { Contract } from "./contracts.ts";
import { filesOf, forward } from "./forward.ts";
import type { Place, Prepared } from "./place.ts";
import { architect, implement, review as reviewer, testing } from "./roles.ts";
import { verificationOf } from "./verification.ts";

const TEST_FILES = ["test/**", "tests/**", "**/*.test.*", "**/*.spec.*", "**/*_test.*", "**/__tests__/**"];

type Built = {
  readonly from: Tree;
  readonly tree: Tree;
  readonly contract: Contract;
  readonly files: ReturnType<typeof filesOf>;
};

export async function build(place: Place, { tree, findings, design: drawn }: Prepared): Promise<Built | undefined> {
  const { verbs, steps, kept } = place;
  const prior = { ...findings, ...(drawn ? { design: drawn } : {}) };
  const writes = ["**", ...kept, ...(drawn ? [`!${ADR_FOLDER}/**`] : [])];
  const answer = await steps.dispatch({ step: "Implement", role: implement, tree, prior, writes });
  if (!answer) return undefined;
  const {
    contract,
    answer: { after, outside },
  } = answer;
  const changed = (await verbs.see("changes", { from: tree, to: after })).map(({ path }) => path);
  const work = { due: true, listed: contract.files ?? [], changed, outside };
  if (!(await steps.judge({ step: "Implement", contract, work }, after))) return undefined;
  const files = filesOf(changed, contract.files);
  steps.keep("Implement", forward.implementation(contract, files));
  return { from: tree, tree: after, contract, files };
}

/** Complex items only: does what was built still follow the ADR? */
export async function validate(place: Place, { design: drawn }: Prepared, built: Built): Promise<boolean> {
  const step = "Architect (validation)";
  const implementation = forward.implementation(built.contract, built.files);
  const prior = { mode: "validation", ...(drawn ? { design: drawn } : {}), implementation };
  const answer = await place.steps.dispatch({ step, role: architect, tree: built.tree, prior, writes: [] });
  if (!answer) return false;
  const { contract } = answer;
  const work = leftBy(answer.answer);
  if (!(await place.steps.judge({ step, contract, work }, built.tree))) return false;
  place.steps.keep(step, forward.validation(contract));
  return true;
}

type Tested = {
  readonly tree: Tree;
  readonly testing: ReturnType<typeof forward.testing>;
  readonly verification: Json;
};

/** Whoever is asked for no list: what was not taken is told all the same. */
export const leftBy = ({ changed, outside }: { changed: readonly string[]; outside: readonly string[] }) => ({
  due: false,
  listed: [],
  changed,
  outside,
});

/** Testing's word, and the engine's own run of every configured command, about one tree. */
export async function test(place: Place, { tree, contract: work, files }: Built): Promise<Tested | undefined> {
  const { verbs, steps, item, base, known, kept } = place;
  const implementation = { ...forward.implementation(work, files), evidence: work.evidence };
  const writes = [...TEST_FILES, ...kept];
  const answer = await steps.dispatch({ step: "Testing", role: testing, tree, prior: { implementation }, writes });
  if (!answer) return undefined;
  const {
    contract,
    answer: { after },
  } = answer;
  // There is no second round in which the work could come back: a person is asked at once.
  const evidence = await verbs.check(after, { baseline: base, task: String(item.id), asks: "at once" });
  const verification = verificationOf(item, known, evidence);
  steps.leave(verification.notRun);
  const accepted = evidence.tamper.length > 0 && (await isMeant(place, evidence.tamper));
  const seen = { evidence, accepted, work: leftBy(answer.answer) };
  if (!(await steps.judge({ step: "Testing", contract, ...seen }, after))) return undefined;
  const summary = forward.testing(contract);
  steps.keep("Testing", summary);
  return { tree: after, testing: summary, verification };
}

/** Weakened tests block the item unless a person says that they are part of it. */
async function isMeant({ verbs, item }: Place, tamper: readonly Finding[]): Promise<boolean> {
  const title = `Item ${item.id} weakens what checks it. Take it all the same?`;
  const show = { item: item.title, findings: tamper.map(({ message }) => message) };
  return (await verbs.ask({ title, show, choices: ["block", "accept"], auto: "block" })).choice === "accept";
}

/** The last word. Its list of files has those that Testing added, too. */
export async function review(place: Place, proven: Built & Tested): Promise<boolean> {
  const { verbs, steps } = place;
  const { from, tree, contract: work, testing: summary, verification } = proven;
  const changed = (await verbs.see("changes", { from, to: tree })).map(({ path }) => path);
  const implementation = forward.implementation(work, filesOf(changed, work.files));
  const prior = { implementation, testing: summary, verification };
  const answer = await steps.dispatch({ step: "Review", role: reviewer, tree, prior });
  if (!answer || !(await steps.judge({ step: "Review", contract: answer.contract }, tree))) return false;
  steps.keep("Review", forward.review(answer.contract));
  return true;
}
