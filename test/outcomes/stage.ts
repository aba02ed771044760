import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { casts } from "../lies/casts/all.ts";
import { actionsOf, type Cast, changeOf, type Plot } from "../lies/casts/cast.ts";
import { PIPELINES } from "../lies/entry.ts";
import { type CommandEnd, git, placeIn, repositoryOf, signalbox, type TrialFolder } from "../lies/place.ts";
import type { Situation } from "./situation.ts";

export const COLUMNS = [...PIPELINES, "own"] as const;
export type Column = (typeof COLUMNS)[number];

/** The result of a run, as a person at the terminal can observe it. */
export type Observed = {
  readonly exit: number;
  /** All output of the program up to its end or a question. */
  readonly printed: string;
  /** The outcomes of each command on every tree after the first; on the first tree if there is no other. */
  readonly words: Readonly<Record<string, readonly string[]>>;
  readonly why: string;
  readonly dispatched: boolean;
  /** True if the work is in a commit. */
  readonly committed: boolean;
};

/** Runs one situation in one pipeline with the real program, in its own repository. */
export async function stage(column: Column, situation: Situation): Promise<Observed> {
  const home = mkdtempSync(join(tmpdir(), "signalbox-outcomes-"));
  try {
    const place = placeIn(home);
    const plot = createPlot(situation, home);
    const cast = column === "own" ? createOwnCast(plot) : casts[column](plot);
    const base = repositoryOf(place, { ...plot.files, ...cast.files });
    const agents = join(home, "agents.yaml");
    writeFileSync(agents, stringify({ agents: cast.agents }, { lineWidth: 0 }));
    const approvals = situation.answers ? "interactive" : (situation.approvals ?? "autonomous");
    const options = ["--agents", agents, "--approvals", approvals, "--sandbox", "off", "--trust"];
    const first = await signalbox(["-C", place.repo, "run", column, ...cast.args, ...options], place.env);
    const ended = situation.answers ? await answerQuestions(place, first) : first;
    return await observeRun(place, { base, ended, plot });
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

function createPlot({ files, work, announces = [] }: Situation, home: string): Plot {
  const counter = join(home, "counter");
  const own = Object.entries(files).map(([path, text]) => [path, text.replaceAll("COUNTER", counter)]);
  const told = announces.flatMap(({ tests }) => tests);
  const request = "Let the till do what was asked for";
  return { request, work, files: Object.fromEntries(own), verification: "read the sources", told, announces };
}

const OWN = fileURLToPath(new URL("./fixtures/own.ts", import.meta.url));

const createOwnCast = ({ request, work, announces }: Plot): Cast => ({
  args: [request, "--input", `announces=${JSON.stringify(announces)}`],
  files: { ".signalbox/pipelines/own.ts": readFileSync(OWN, "utf8") },
  worker: "writer",
  agents: [{ role: "writer", do: actionsOf(changeOf(work)), output: { summary: "done as asked, all tests pass" } }],
});

const WAITS = 3;
/** No pipeline here asks as often. */
const QUESTIONS = 12;

/** Approves whatever a plan asks, but not claims that evidence cannot decide. */
async function answerQuestions(place: TrialFolder, first: CommandEnd): Promise<CommandEnd> {
  let ended = first;
  for (let asked = 0; ended.exit === WAITS && asked < QUESTIONS; asked += 1) {
    const { approval, title } = await findQuestion(place);
    if (title.endsWith("commit all the same?")) return ended;
    await signalbox(["-C", place.repo, "approve", approval], place.env);
    ended = await signalbox(["-C", place.repo, "resume", "--trust"], place.env);
  }
  return ended;
}

async function findQuestion(place: TrialFolder): Promise<{ readonly approval: string; readonly title: string }> {
  const { out } = await signalbox(["-C", place.repo, "inbox", "--json"], place.env);
  // The program's own document.
  const { approvals } = JSON.parse(out) as { approvals: { approval: string; title: string }[] };
  return approvals[0] ?? { approval: "", title: "" };
}

type EndedRun = { readonly base: string; readonly ended: CommandEnd; readonly plot: Plot };

async function observeRun(place: TrialFolder, { base, ended, plot }: EndedRun): Promise<Observed> {
  const evidence = await signalbox(["-C", place.repo, "evidence", "--json"], place.env);
  const why = await signalbox(["-C", place.repo, "why"], place.env);
  // The program's own document.
  const { tasks = [] } = JSON.parse(evidence.out) as { tasks?: readonly TaskEvidence[] };
  return {
    exit: ended.exit,
    printed: `${ended.out}${ended.err}`,
    words: parseOutcomes(tasks.flatMap((task) => task.evidence)),
    why: why.out,
    dispatched: tasks.some(({ claims }) => claims.length > 0),
    committed: isCommitted(place, base, plot),
  };
}

type EvidenceRow = { readonly check: string; readonly phase: string; readonly outcome: string };
type TaskEvidence = { readonly claims: readonly unknown[]; readonly evidence: readonly EvidenceRow[] };

function parseOutcomes(all: readonly EvidenceRow[]): Observed["words"] {
  const after = all.filter(({ phase }) => phase === "after");
  const byCheck = Map.groupBy(after.length > 0 ? after : all, ({ check }) => check);
  const words = [...byCheck].map(([check, seen]) => [check, [...new Set(seen.map(({ outcome }) => outcome))]]);
  return Object.fromEntries(words);
}

/** True if a branch contains changes to the work, not only the pipeline's own files. */
function isCommitted(place: TrialFolder, base: string, { work, files }: Plot): boolean {
  const heads = git(place, "for-each-ref", "--format=%(objectname)", "refs/heads").split("\n");
  const paths = [...Object.keys(files), ...Object.keys(changeOf(work))];
  return heads.some((head) => git(place, "diff", "--name-only", base, head, "--", ...paths) !== "");
}
