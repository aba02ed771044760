import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { appendCaseRow, readCaseRows } from "./cases/case-row.ts";
import { readCheckwashCases } from "./cases/checkwash.ts";
import { playCases } from "./cases/play-cases.ts";
import { notesIn, repositoriesIn } from "./corpus.ts";
import { renderPage } from "./page.ts";
import { type Played, playRepository } from "./play.ts";
import { keepRow, rowsIn } from "./row.ts";

// Plays commits of real histories through the engine and writes what its evidence caught and what it refused.
//   --corpus DIR    git repositories, and corpus.json beside them; truth.jsonl there keeps what was played
//   --repo NAME     only this one; can be given more than once
//   --most N        commits per repository
//   --kind NAME     only commits of this class; can be given more than once
//   --source NAME   only those that people, or that agents say they have written
//   --seconds N     no further commit after that many seconds
//   --every N       cheats on every Nth commit that may carry them; 0 for none
//   --checkwash DIR a checkout of taipei49314/checkwash; its cases are played, and cases.jsonl in the corpus stores them
//   --only NAME     only cases whose corpus or name contains this
//   --again         also cases that were played before
//   --out FILE      the page; without it bench/results/truth.md
//   --report        plays nothing and writes the page from what is kept

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
if (values.corpus === undefined) throw new Error("Say where the repositories are: --corpus DIR");

const kept = join(values.corpus, "truth.jsonl");
const caseFile = join(values.corpus, "cases.jsonl");
if (!values.report && values.checkwash !== undefined) await playStoredCases(values.checkwash);
if (!values.report) await play(values.corpus);
const stored = { rows: rowsIn(kept), cases: readCaseRows(caseFile) };
writeFileSync(
  values.out,
  renderPage({ ...stored, repositories: repositoriesIn(values.corpus), notes: notesIn(values.corpus) }),
);

/** In turns, so that every repository has its share whenever the time is over. */
async function play(corpus: string): Promise<void> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-truth-")));
  const until = Date.now() + Number(values.seconds) * 1_000;
  const { kind, source } = values;
  const order = { dir, most: Number(values.most), every: Number(values.every), kind, source, rows: rowsIn(kept) };
  try {
    let turns: readonly Played[] = repositoriesIn(corpus, values.repo)
      .filter(({ skip }) => skip === undefined)
      .map((each) => playRepository(each, order));
    while (turns.length > 0 && Date.now() < until) {
      const left: Played[] = [];
      for (const turn of turns) {
        if (Date.now() >= until) break;
        const { value, done } = await turn.next().catch(leftOut);
        if (done) continue;
        left.push(turn);
        for (const row of value) {
          keepRow(kept, row);
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

/** A repository with holes in its history ends its own turns, not those of the others. */
function leftOut(error: unknown): { readonly done: true; readonly value: undefined } {
  console.error(error instanceof Error ? error.message : error);
  return { done: true, value: undefined };
}
