import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Workspace } from "../../src/core/ports/workspace.ts";
import { gitWorkspace } from "../../src/workspace/workspace.ts";
import { atMost, type Figure, median, shown } from "../figure.ts";

const ROUNDS = 5;
const RUN = "bench";
const SIZES = [20, 40_000] as const;

/**
 * Measures the cost of a tree that is made on one clone and needed on another, with the remote on this disk. The floor
 * is one push and one fetch of the same amount by git itself, in the same round. A network adds its round trips to
 * both.
 */
export async function travelFigures(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const files of SIZES) figures.push(...(await withClones(files, measureRounds)));
  return figures;
}

type Clones = { readonly files: number; readonly dir: string; open(name: string): Promise<Workspace> };

async function withClones<T>(files: number, use: (clones: Clones) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-travel-"));
  try {
    createRepository(dir, files);
    return await use({ files, dir, open: (name) => openClone(dir, name) });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measureRounds({ files, dir, open }: Clones): Promise<readonly Figure[]> {
  const [person, worker, owner] = [await open("person"), await open("worker"), await open("owner")];
  const { commit, tree } = await person.head();
  const begun = await measureTime(() => person.begin(RUN, { commit, books: [] }));
  const first = await measureTime(() => worker.of(RUN, 1).render(tree, []));
  const rounds: Round[] = [];
  let from = tree;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { next, ...times } = await measureRound({ dir, worker, owner, from, round });
    rounds.push(times);
    from = next;
  }
  const of = (name: keyof Round) => median(rounds.map((each) => each[name]));
  const at = `${files.toLocaleString("en")} files`;
  const beyond = of("publish") + of("obtain") - of("floor");
  return [
    { name: `a run's commit and checkout published, ${at}`, reached: `${shown(begun)} ms` },
    { name: `a worker's first tree of a run, everything already local, ${at}`, reached: `${shown(first)} ms` },
    {
      name: `one changed file published and fetched elsewhere, p50, ${at}`,
      reached: `${shown(of("publish"))} + ${shown(of("obtain"))} ms, ${shown(beyond)} ms beyond git's own push and fetch of it (${shown(of("floor"))} ms)`,
    },
    atMost({ name: `a local tree fetched again, p50, ${at}`, value: of("known"), target: 1, unit: "ms" }),
    atMost({ name: `a published tree published again, p50, ${at}`, value: of("repeated"), target: 1, unit: "ms" }),
  ];
}

type Round = Readonly<Record<"publish" | "obtain" | "known" | "repeated" | "floor", number>>;
type RoundInput = {
  readonly dir: string;
  readonly worker: Workspace;
  readonly owner: Workspace;
  readonly from: string;
  readonly round: number;
};

async function measureRound({
  dir,
  worker,
  owner,
  from,
  round,
}: RoundInput): Promise<Round & { readonly next: string }> {
  const own = worker.of(RUN, 1);
  const next = await own.render(from, [{ path: "changed.txt", text: `round ${round}\n` }]);
  await own.pin(RUN, next);
  const publish = await measureTime(() => own.publish());
  const obtain = await measureTime(() => owner.of(RUN, 1).render(next, []));
  const known = await measureTime(() => owner.of(RUN, 1).render(next, []));
  const again = worker.of(RUN, 1);
  const repeated = await measureTime(() => again.pin(RUN, next).then(() => again.publish()));
  return { next, publish, obtain, known, repeated, floor: measureFloor(dir, round) };
}

/** Measures the same between two plain clones, with ordinary git commands. */
function measureFloor(dir: string, round: number): number {
  const [one, other] = [join(dir, "plain-one"), join(dir, "plain-other")];
  writeFileSync(join(one, "changed.txt"), `plain ${round}\n`);
  git(one, "add", "changed.txt");
  git(one, "commit", "-qm", `plain ${round}`);
  const begun = performance.now();
  git(one, "push", "-q", "origin", `HEAD:refs/plain/${round}`);
  git(other, "fetch", "-q", "origin", `refs/plain/${round}:refs/plain/${round}`);
  return performance.now() - begun;
}

async function measureTime(body: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await body();
  return performance.now() - begun;
}

async function openClone(dir: string, name: string): Promise<Workspace> {
  git(dir, "clone", "-q", "--sparse", "shared.git", name);
  return gitWorkspace({ repo: join(dir, name), cache: join(dir, `${name}-cache`), remote: "origin" });
}

/** Creates the repository without a full checkout: a run does not use a worker's checkout. */
function createRepository(dir: string, files: number): void {
  const first = join(dir, "first");
  mkdirSync(first);
  git(first, "init", "-q", "-b", "main");
  const entries = Array.from({ length: files }, (_, n) => entry(`folder-${n % 400}/part-${n % 7}/file-${n}.txt`, n));
  const head = "commit refs/heads/main\ncommitter Ada <ada@example.org> 0 +0000\ndata 5\nbegin\n";
  execFileSync("git", ["fast-import", "--quiet"], { cwd: first, input: head + entries.join("") });
  git(dir, "clone", "-q", "--bare", "first", "shared.git");
  for (const name of ["plain-one", "plain-other"]) git(dir, "clone", "-q", "--sparse", "shared.git", name);
}

function entry(path: string, n: number): string {
  const text = `${n}\n`.repeat(20);
  return `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
}

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], { cwd });
}
