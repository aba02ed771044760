import { z } from "zod";
import { Finding } from "../../../core/authoring/finding.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { problemsOf } from "../../../core/contract/problem.ts";
import { canonical } from "../../../core/text/json.ts";
import { Id, type Item, Learning, PlanningResearch, type Roadmap } from "../choosing/roadmap.ts";
import { KeptContract } from "../contracts.ts";
import { isPopulated, type Scope } from "../item/research.ts";

/**
 * What a later run must know and `roadmap.json` has no field for. Only the engine writes it, below its own folder, so
 * that it is neither the user's dirt nor in any tree that an agent sees. Lost, it begins anew: scopes count as first
 * seen, a design's ADR is looked for where it must be.
 */
export const Memory = z.strictObject({
  /** By item: its planning research, and what the item asked for when this research was first seen. */
  scopes: z.record(
    z.string(),
    z.strictObject({ planningResearch: PlanningResearch, title: z.string(), acceptanceCriteria: z.array(z.string()) }),
  ),
  /** By design item: the ADR that it left behind. */
  adrs: z.record(z.string(), z.string()),
  /** Of a roadmap that is a bare list and has no place for them. */
  learnings: z.array(Learning),
  /** By item: the run that took it up last. */
  taken: z.record(z.string(), z.string()),
  /** By blocked item: the work of the run that blocked it, what that is a change of, and what was found in it. */
  blocked: z
    .record(
      z.string(),
      z.strictObject({
        run: z.string(),
        tree: z.string(),
        base: z.string(),
        step: z.string(),
        findings: z.array(Finding),
        /** Where nothing but the form of the last answer was wrong: what the item asked for, and the answers before that one. */
        unread: z
          .strictObject({
            title: z.string(),
            acceptanceCriteria: z.array(z.string()),
            answers: z.record(z.string(), KeptContract),
          })
          .optional(),
      }),
    )
    .default({}),
  /** The last done item: the branch that holds its work, and the tree that this branch left from. */
  last: z.strictObject({ item: Id, branch: z.string(), base: z.string() }).nullable(),
});
export type Memory = z.infer<typeof Memory>;
export type BlockedWork = Memory["blocked"][string];

export const EMPTY: Memory = { scopes: {}, adrs: {}, learnings: [], taken: {}, blocked: {}, last: null };

export const memoryPath = (file: string): string => `.signalbox/memory/${file.replaceAll("/", "-")}`;

export type MemoryReading =
  | { readonly ok: true; readonly memory: Memory }
  | { readonly ok: false; readonly errors: readonly string[] };

export function readMemory(text: string | undefined): MemoryReading {
  if (text === undefined) return { ok: true, memory: EMPTY };
  const raw = parsed(text);
  const read = Memory.safeParse(raw);
  if (read.success) return { ok: true, memory: read.data };
  const problems = problemsOf(read.error, raw);
  return {
    ok: false,
    errors: problems.map(({ field, expected, found }) => `${field}: expected ${expected}, found ${found}`),
  };
}

/** With the scope of every item whose planning research is new; the first look at it counts from then on. */
export function withScopes(memory: Memory, items: readonly Item[]): Memory {
  const scopes = items.flatMap(({ id, title, acceptanceCriteria, planningResearch }) => {
    if (!isPopulated(planningResearch)) return [];
    const known = memory.scopes[String(id)];
    const same = known && canonical(known.planningResearch) === canonical(planningResearch);
    return [[String(id), same ? known : { planningResearch, title, acceptanceCriteria }] as const];
  });
  return { ...memory, scopes: Object.fromEntries(scopes) };
}

export const scopeOf = (memory: Memory, id: Id): Scope | undefined => memory.scopes[String(id)];

/**
 * What is sent along with every dispatch: the file's own, or of a bare list what is remembered for it, each once.
 * @rule R-09 (policy) Every dispatch carries all learnings.
 */
export function learningsOf(roadmap: Roadmap, memory: Memory): readonly Learning[] {
  const all = roadmap.bare ? memory.learnings : roadmap.learnings;
  return all.filter((each, at) => all.findIndex(({ learning }) => isSaid(each.learning, learning)) === at);
}

/** Those that nobody has said before: an item that runs again learns the same again. */
export function newLearnings(learned: readonly string[], known: readonly Learning[]): readonly string[] {
  return learned.filter(
    (text, at) =>
      !known.some(({ learning }) => isSaid(text, learning)) && learned.findIndex((each) => isSaid(text, each)) === at,
  );
}

const isSaid = (a: string, b: string): boolean => plain(a) === plain(b);
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s`"'.]+/g, " ")
    .trim();

/** Writes it where it changed; the engine puts it back where it is gone. */
export async function remember({ write, input }: RoadmapVerbs, { before, after }: Change): Promise<Memory> {
  if (canonical(before) !== canonical(after)) {
    await write(memoryPath(input.file), `${JSON.stringify(after, null, 2)}\n`, { to: "checkout" });
  }
  return after;
}

type RoadmapVerbs = Pick<Verbs<{ file: string }>, "write" | "input">;
type Change = { readonly before: Memory; readonly after: Memory };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
