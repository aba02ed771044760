import { type BenchEngine, createBenchEngine, type TimedVerdict } from "./bench-engine.ts";
import { type Cheat, hollowCheat, mutantCheat, pickHollow } from "./cheats.ts";
import type { Repository } from "./corpus.ts";
import { type Commit, listCommits } from "./history.ts";
import { passesAlone } from "./plain-run.ts";
import type { Row } from "./row.ts";
import { toDeclaredKind } from "./subject.ts";

export type Played = AsyncGenerator<readonly Row[], void>;

type Order = {
  readonly dir: string;
  readonly most: number;
  /** Plants cheats on every Nth accepted fix or feature. */
  readonly every: number;
  /** Selects commits by class and author; undefined selects all. */
  readonly kind: readonly string[] | undefined;
  readonly source: string | undefined;
  /** Results of earlier runs. */
  readonly rows: readonly Row[];
};

/** Judges one commit per turn, newest first, and the cheats planted on it. */
export async function* playRepository(repository: Repository, order: Order): Played {
  const { dir, most, every, rows } = order;
  const known = new Set(rows.filter(({ repo }) => repo === repository.name).map(({ hash }) => hash));
  const commits = listCommits(repository).filter(createFilter(order)).slice(0, most);
  const engine = await createBenchEngine(repository, dir);
  let carried = known.size;
  for (const commit of commits.filter(({ hash }) => !known.has(hash))) {
    const rowOf = createRowFactory(repository, commit);
    const declared = toDeclaredKind(commit.kind);
    const verdict = await engine.judge({ base: commit.parent, tree: engine.treeOf(commit.hash), declared });
    const row = rowOf({ category: "", what: "", verdict });
    yield [verdict.outcome === "refused" ? { ...row, alone: passesAlone(repository, commit.hash, dir) } : row];
    if (declared === undefined || verdict.outcome !== "committed" || every === 0) continue;
    carried += 1;
    if (carried % every === 0) yield (await plantCheats(engine, commit, carried / every)).map(rowOf);
  }
}

function createFilter({ kind, source }: Order) {
  return (commit: Commit) => (kind?.includes(commit.kind) ?? true) && (source ?? commit.source) === commit.source;
}

async function plantCheats(engine: BenchEngine, commit: Commit, turn: number): Promise<readonly Cheat[]> {
  const cheats = [
    await hollowCheat(engine, commit, pickHollow(2 * turn)),
    await hollowCheat(engine, commit, pickHollow(2 * turn + 1)),
    await mutantCheat(engine, commit, pickHollow(turn)),
  ];
  return cheats.filter((cheat) => cheat !== undefined);
}

function createRowFactory({ name }: Repository, { hash, subject, kind, source }: Commit) {
  return ({ category, what, verdict }: { category: string; what: string; verdict: TimedVerdict }): Row => {
    const { outcome, kinds, told, commandsMs, examMs } = verdict;
    const about = { repo: name, hash, subject, kind, source, cheat: category, what };
    const date = new Date().toISOString().slice(0, 10);
    return { ...about, outcome, kinds: [...kinds], told: [...told], commandsMs, examMs, date };
  };
}
