import { existsSync } from "node:fs";
import { SignalboxError } from "../../core/failure/errors.ts";
import { counted } from "../../core/text/count.ts";
import { listDifferingPaths } from "../../surfaces/statement/differences.ts";
import { buildStatement, type Statement } from "../../surfaces/statement/statement.ts";
import type { Call } from "../call.ts";
import { verifyRun } from "../inspect/verify-run.ts";
import { type RepositoryPlaces, resolvePlaces } from "../project/repository.ts";
import { type RecordedRun, withRun } from "../runs/with-run.ts";
import { readCommitTree } from "./run-statement.ts";

/** One comparison; `ok` is null if there was nothing to compare. */
export type StatementComparison = { readonly ok: boolean | null; readonly what: string; readonly text: string };

/** Compares a statement with this repository, its run and its ledger. Outside a repository nothing is compared. */
export async function compareStatement(
  call: Call,
  statement: Statement,
  run?: string,
): Promise<readonly StatementComparison[]> {
  const places = await resolvePlaces(call.dir).catch(() => undefined);
  if (places === undefined && run === undefined)
    return [{ ok: null, what: "git", text: "not compared: not a git repository" }];
  const git = await compareWithGit(places ?? (await resolvePlaces(call.dir)), statement);
  return [...git, ...(await compareWithRun(call, statement, { places, asked: run }))];
}

async function compareWithGit(
  { top }: RepositoryPlaces,
  { predicate, subject }: Statement,
): Promise<readonly StatementComparison[]> {
  const said = predicate.commits.flatMap(({ commit, tree }) => [{ gitCommit: commit }, { gitTree: tree }]);
  const named = listDifferingPaths(
    subject.map(({ digest }) => digest),
    said,
  );
  if (named.length > 0) return [{ ok: false, what: "subject", text: "its subject does not match its predicate" }];
  const seen: StatementComparison[] = [];
  for (const { commit, tree } of predicate.commits) {
    const found = await readCommitTree(top, commit);
    const short = commit.slice(0, 12);
    if (found === tree) seen.push({ ok: true, what: "git", text: `commit ${short} exists with tree ${tree}` });
    else if (found === undefined) seen.push({ ok: false, what: "git", text: `commit ${short} is not in ${top}` });
    else seen.push({ ok: false, what: "git", text: `commit ${short} has tree ${found}, not ${tree}` });
  }
  return seen;
}

type ComparisonTarget = { readonly places: RepositoryPlaces | undefined; readonly asked: string | undefined };

async function compareWithRun(
  call: Call,
  statement: Statement,
  { places, asked }: ComparisonTarget,
): Promise<readonly StatementComparison[]> {
  const run = asked ?? statement.predicate.run;
  const absent = `not compared: run ${run} is not in this repository's database`;
  if (asked === undefined && !existsSync(places?.database ?? "")) return [{ ok: null, what: "journal", text: absent }];
  try {
    return await withRun(call, run, (found) => compareWithRecords(found, statement));
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    if (error.code === "RUN_UNKNOWN" && asked === undefined) return [{ ok: null, what: "journal", text: absent }];
    if (DAMAGED.has(error.code)) return [{ ok: false, what: "journal", text: error.message }];
    throw error;
  }
}

const DAMAGED: ReadonlySet<string> = new Set(["JOURNAL_DAMAGED", "DATABASE_DAMAGED", "LEDGER_FORGED"]);

async function compareWithRecords(
  found: RecordedRun,
  { predicate }: Statement,
): Promise<readonly StatementComparison[]> {
  const { seq, chain } = predicate.chain;
  const records = found.records.filter((record) => record.seq <= seq);
  const head = records.at(-1);
  if (head?.seq !== seq || head.chain !== chain || predicate.run !== found.row.id) {
    const text = `the journal of ${found.row.id} has no record ${seq} with the hash ${chain.slice(0, 12)}`;
    return [{ ok: false, what: "journal", text }];
  }
  const { differences } = await verifyRun(found);
  const changed = differences.map(({ message, where }) => ({ ok: false, what: where, text: message }));
  const now = buildStatement({ records, commits: predicate.commits, version: predicate.tool.version }).predicate;
  const differing = listDifferingPaths(predicate, now).map((path) => {
    return { ok: false, what: "evidence", text: `${path} differs from the journal` };
  });
  const bad = [...changed, ...differing];
  if (bad.length > 0) return bad.slice(0, 20);
  const { evidence, gates } = predicate;
  const results = counted(evidence.length, "result of a check", "results of checks");
  const counts = `${results} and ${counted(gates.length, "gate")}, as recorded`;
  return [
    { ok: true, what: "journal", text: `record ${seq} is its head, and every hash up to it is correct` },
    { ok: true, what: "ledger", text: "its rows match the journal" },
    { ok: true, what: "evidence", text: counts },
  ];
}
