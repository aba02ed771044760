import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { appendCaseRow, readCaseRows } from "./cases/case-row.ts";
import { readCheckwashCases } from "./cases/checkwash.ts";
import { playCases } from "./cases/play-cases.ts";
import { listRepositories, readNotes } from "./corpus.ts";
import { renderPage } from "./page.ts";
import { type Played, playRepository } from "./play.ts";
import { appendRow, readRows } from "./row.ts";

// Judges known cases and commits of real histories with the engine and writes the page about the outcomes.
//   --corpus DIR    folder with git repositories and corpus.json; truth.jsonl there stores the results
//   --repo NAME     only this repository; can be repeated
//   --most N        commits per repository
//   --kind NAME     only commits of this class; can be repeated
//   --source NAME   only commits by `people` or by `agents`
//   --seconds N     start no further commit after N seconds
//   --every N       plant cheats on every Nth accepted fix or feature; 0 for none
//   --checkwash DIR checkout of taipei49314/checkwash; judge its cases and store them in cases.jsonl of the corpus
//   --only TEXT     only cases whose corpus or name contains this text
//   --again         also cases that have a result
//   --out FILE      the page; default bench/results/truth.md
//   --report        judge nothing; write the page from stored results

const PAGE = fileURLToPath(new URL("../results/truth.md", import.meta.url));
const { values } = parseArgs({
  options: {
    corpus: { type: "string" },
    repo: { type: "string", multiple: true },
    most: { type: "string", default: "25" },
    kind: { type: "string", multiple: true },
    source: { type: "string" },
    seconds: { type: "string", default: "1800" },
    every: { type: "string", default: "3" },
    checkwash: { type: "string" },
    only: { type: "string", default: "" },
    again: { type: "boolean", default: false },
    out: { type: "string", default: PAGE },
    report: { type: "boolean", default: false },
  },
});
if (values.corpus === undefined) throw new Error("Missing option: --corpus DIR, the folder with the repositories");

const kept = join(values.corpus, "truth.jsonl");
const caseFile = join(values.corpus, "cases.jsonl");
if (!values.report && values.checkwash !== undefined) await playStoredCases(values.checkwash);
if (!values.report) await play(values.corpus);
const stored = { rows: readRows(kept), cases: readCaseRows(caseFile) };
writeFileSync(
  values.out,
  renderPage({ ...stored, repositories: listRepositories(values.corpus), notes: readNotes(values.corpus) }),
);

/** In turns, so that every repository has its formatShare whenever the time is over. */
async function play(corpus: string): Promise<void> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-truth-")));
  const until = Date.now() + Number(values.seconds) * 1_000;
  const { kind, source } = values;
  const order = { dir, most: Number(values.most), every: Number(values.every), kind, source, rows: readRows(kept) };
  try {
    let turns: readonly Played[] = listRepositories(corpus, values.repo)
      .filter(({ skip }) => skip === undefined)
      .map((each) => playRepository(each, order));
    while (turns.length > 0 && Date.now() < until) {
      const left: Played[] = [];
      for (const turn of turns) {
        if (Date.now() >= until) break;
        const { value, done } = await turn.next().catch(reportAndSkip);
        if (done) continue;
        left.push(turn);
        for (const row of value) {
          appendRow(kept, row);
          console.log(
            `${row.repo} ${row.hash.slice(0, 8)} ${row.kind} ${row.cheat} ${row.outcome} ${row.kinds} ${row.subject}`,
          );
        }
      }
      turns = left;
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Judges the cases that have no result yet and stores each result at once. */
async function playStoredCases(checkout: string): Promise<void> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-cases-")));
  const known = new Set(values.again ? [] : readCaseRows(caseFile).map(({ corpus, name }) => `${corpus} ${name}`));
  const wanted = readCheckwashCases(checkout)
    .filter(({ corpus, name }) => `${corpus} ${name}`.includes(values.only))
    .filter(({ corpus, name }) => !known.has(`${corpus} ${name}`));
  try {
    for await (const row of playCases(wanted, dir)) {
      appendCaseRow(caseFile, row);
      console.log(`${row.corpus} ${row.name} ${row.outcome} ${row.kinds} ${row.told.join(" | ").slice(0, 300)}`);
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A repository with an incomplete history is skipped; the others continue. */
function reportAndSkip(error: unknown): { readonly done: true; readonly value: undefined } {
  console.error(error instanceof Error ? error.message : error);
  return { done: true, value: undefined };
}
