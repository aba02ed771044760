import { z } from "zod";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { FactClaim } from "../acting/report.ts";
import type { Progress } from "../progress.ts";
import type { PhasesContext } from "../run-context.ts";

export const FACTS_FILE = "memories/repo/facts.ndjson";

const text = z.string().trim().min(1);
/** A stored fact, with its source and the reason why it matters. */
export const Fact = z.strictObject({
  subject: text,
  fact: text,
  citations: z.array(text).min(1),
  reason: text,
  category: text,
});
export type Fact = z.infer<typeof Fact>;

/** A line of the file. A line that is not a valid fact is kept and never compared. */
export type MemoryLine = { readonly text: string; readonly fact?: Fact };

type ClaimedFacts = { readonly progress: Progress; readonly claims: readonly FactClaim[] };

/** Stores complete facts. For a fact that resembles a stored one, asks: skip, merge or new. */
export async function promoteFacts(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { progress, claims }: ClaimedFacts,
): Promise<void> {
  const fresh = claims.flatMap((claim) => Fact.safeParse(claim).data ?? []);
  if (fresh.length === 0) return;
  const file = await verbs.see("file", { path: FACTS_FILE, in: progress.tree });
  const stored = progress.memory ?? parseMemoryLines(file?.text ?? "");
  let lines = stored;
  for (const [at, fact] of fresh.entries()) {
    const near = findSimilarFact(fact, lines, context.policy.memory_hygiene.fact_similarity);
    if (!near) lines = [...lines, toMemoryLine(fact)];
    else lines = await verbs.within(`fact-${at + 1}`, () => askHowToStore(verbs, { lines, fact, near }));
  }
  progress.memory = lines;
  if (lines !== stored) await verbs.write(FACTS_FILE, lines.map((each) => `${each.text}\n`).join(""));
}

type SimilarLine = MemoryLine & { readonly fact: Fact };
type SimilarFacts = { readonly lines: readonly MemoryLine[]; readonly fact: Fact; readonly near: SimilarLine };

const LEADS = { skip: "only the stored fact is kept", merge: "both become one fact", new: "both are stored" };

async function askHowToStore(
  { ask }: Verbs<unknown>,
  { lines, fact, near }: SimilarFacts,
): Promise<readonly MemoryLine[]> {
  const title = `A similar fact is already stored: ${near.fact.subject}. Skip the new one, merge both, or store both?`;
  const show = { stored: near.fact, fact };
  const { choice } = await ask({ title, show, choices: ["skip", "merge", "new"], auto: "skip", leads: LEADS });
  if (choice === "skip") return lines;
  if (choice === "new") return [...lines, toMemoryLine(fact)];
  const citations = [...new Set([...near.fact.citations, ...fact.citations])];
  const merged = toMemoryLine({ ...fact, subject: near.fact.subject, citations });
  return lines.map((each) => (each === near ? merged : each));
}

const toMemoryLine = (fact: Fact): MemoryLine => ({ text: JSON.stringify(fact), fact });

function parseMemoryLines(stored: string): readonly MemoryLine[] {
  return stored
    .split("\n")
    .filter((each) => each.trim() !== "")
    .map((each) => ({ text: each, ...parseFact(each) }));
}

function parseFact(each: string): Pick<MemoryLine, "fact"> {
  try {
    const { data } = Fact.safeParse(JSON.parse(each));
    return data ? { fact: data } : {};
  } catch {
    return {};
  }
}

/** Finds the most similar stored fact, if it is similar enough. */
export function findSimilarFact(fact: Fact, lines: readonly MemoryLine[], similarity: number): SimilarLine | undefined {
  const scored = lines
    .filter(isFactLine)
    .map((each) => ({ each, score: computeJaccard(splitWords(fact), splitWords(each.fact)) }));
  const best = scored.sort((a, b) => b.score - a.score)[0];
  return best && best.score >= similarity ? best.each : undefined;
}

const isFactLine = (each: MemoryLine): each is SimilarLine => each.fact !== undefined;

const splitWords = ({ subject, fact }: Pick<Fact, "subject" | "fact">): ReadonlySet<string> =>
  new Set(`${subject} ${fact}`.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);

export function computeJaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = [...a].filter((word) => b.has(word)).length;
  const all = new Set([...a, ...b]).size;
  return all === 0 ? 0 : both / all;
}
