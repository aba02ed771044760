import { z } from "zod";
import { Finding } from "../../../core/authoring/finding.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { problemsOf } from "../../../core/contract/problem.ts";
import { canonical } from "../../../core/text/json.ts";
import { Id, type Item, Learning, PlanningResearch, type Roadmap } from "../choosing/roadmap.ts";
import { StoredContract } from "../contracts.ts";
import { type ItemScope, isPopulated } from "../item/research.ts";

/**
 * State that later runs need and that `roadmap.json` has no field for. Only the engine writes it, in its own folder, so
 * that it neither makes the checkout dirty nor appears in an agent's tree. If the file is lost, scopes count as first
 * seen and ADRs are looked up in their folder.
 */
export const Memory = z.strictObject({
  /** Planning research by item, with title and criteria when it was first seen. */
  scopes: z.record(
    z.string(),
    z.strictObject({ planningResearch: PlanningResearch, title: z.string(), acceptanceCriteria: z.array(z.string()) }),
  ),
  /** ADR by design item. */
  adrs: z.record(z.string(), z.string()),
  /** Learnings of a roadmap that is a bare list. */
  learnings: z.array(Learning),
  /** Last run that took up the item, by item. */
  taken: z.record(z.string(), z.string()),
  /** Work of the run that blocked the item, the tree it is based on, and its findings, by item. */
  blocked: z
    .record(
      z.string(),
      z.strictObject({
        run: z.string(),
        tree: z.string(),
        base: z.string(),
        step: z.string(),
        findings: z.array(Finding),
        /** Present if only the form of the last answer was wrong: what the item asked for, and the earlier answers. */
        unread: z
          .strictObject({
            title: z.string(),
            acceptanceCriteria: z.array(z.string()),
            answers: z.record(z.string(), StoredContract),
          })
          .optional(),
      }),
    )
    .default({}),
  /** The last done item: the branch with its work, and the tree that the branch started from. */
  last: z.strictObject({ item: Id, branch: z.string(), base: z.string() }).nullable(),
});
export type Memory = z.infer<typeof Memory>;
export type BlockedWork = Memory["blocked"][string];

export const EMPTY: Memory = { scopes: {}, adrs: {}, learnings: [], taken: {}, blocked: {}, last: null };

export const getMemoryPath = (file: string): string => `.signalbox/memory/${file.replaceAll("/", "-")}`;

export type MemoryReading =
  | { readonly ok: true; readonly memory: Memory }
  | { readonly ok: false; readonly errors: readonly string[] };

export function readMemory(text: string | undefined): MemoryReading {
  if (text === undefined) return { ok: true, memory: EMPTY };
  const raw = parseMemoryJson(text);
  const read = Memory.safeParse(raw);
  if (read.success) return { ok: true, memory: read.data };
  const problems = problemsOf(read.error, raw);
  return {
    ok: false,
    errors: problems.map(({ field, expected, found }) => `${field}: expected ${expected}, found ${found}`),
  };
}

/** Adds the scope of every item whose planning research is new. */
export function withScopes(memory: Memory, items: readonly Item[]): Memory {
  const scopes = items.flatMap(({ id, title, acceptanceCriteria, planningResearch }) => {
    if (!isPopulated(planningResearch)) return [];
    const known = memory.scopes[String(id)];
    const same = known && canonical(known.planningResearch) === canonical(planningResearch);
    return [[String(id), same ? known : { planningResearch, title, acceptanceCriteria }] as const];
  });
  return { ...memory, scopes: Object.fromEntries(scopes) };
}

export const getItemScope = (memory: Memory, id: Id): ItemScope | undefined => memory.scopes[String(id)];

/**
 * Learnings for every dispatch: those of the file, or those stored for a bare list, without duplicates.
 * @rule R-09 (policy) Every dispatch contains all learnings.
 */
export function listLearnings(roadmap: Roadmap, memory: Memory): readonly Learning[] {
  const all = roadmap.bare ? memory.learnings : roadmap.learnings;
  return all.filter((each, at) => all.findIndex(({ learning }) => isSameLearning(each.learning, learning)) === at);
}

/** Learnings that are not known yet; an item that runs again learns the same things again. */
export function filterNewLearnings(learned: readonly string[], known: readonly Learning[]): readonly string[] {
  return learned.filter(
    (text, at) =>
      !known.some(({ learning }) => isSameLearning(text, learning)) &&
      learned.findIndex((each) => isSameLearning(text, each)) === at,
  );
}

const isSameLearning = (a: string, b: string): boolean => normalizeLearning(a) === normalizeLearning(b);
const normalizeLearning = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s`"'.]+/g, " ")
    .trim();

/** Writes the memory if it changed. The engine restores a missing file. */
export async function storeMemory({ write, input }: RoadmapVerbs, { before, after }: MemoryChange): Promise<Memory> {
  if (canonical(before) !== canonical(after)) {
    await write(getMemoryPath(input.file), `${JSON.stringify(after, null, 2)}\n`, { to: "checkout" });
  }
  return after;
}

type RoadmapVerbs = Pick<Verbs<{ file: string }>, "write" | "input">;
type MemoryChange = { readonly before: Memory; readonly after: Memory };

function parseMemoryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
