import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { casts } from "./casts/all.ts";
import { type Cast, changeOf } from "./casts/cast.ts";
import type { Entry } from "./entry.ts";
import { answersTo, isAttended } from "./person.ts";
import { type CommandEnd, type Event, git, placeIn, repositoryOf, signalbox, type TrialFolder } from "./place.ts";
import { plotOf } from "./plot.ts";
import { projects } from "./projects/all.ts";
import { brokenIn } from "./truth.ts";
import { type Result, resultOf } from "./verdict.ts";

/** Plays one entry with the real program in its own repository, then determines the truth about the result. */
export async function play(entry: Entry): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), "signalbox-lies-"));
  const started = Date.now();
  try {
    const cast = casts[entry.pipeline](plotOf(entry));
    const place = placeIn(home);
    let base = repositoryOf(place, { ...projects[entry.project].files, ...cast.files });
    if (entry.first !== undefined) {
      const { first, next: _, ...rest } = entry;
      const earlier: Entry = { ...rest, ...first };
      const opening = casts[entry.pipeline](plotOf(earlier));
      const ended = await run(place, { entry: earlier, cast: opening });
      const commit = commitOf(place, { base, entry: earlier, events: ended.events });
      if (commit === undefined) {
        const none = { commit, broken: [], taken: [], ms: Date.now() - started };
        return resultOf({ entry, worker: opening.worker, ended, ...none });
      }
      git(place, "merge", "-q", "--ff-only", commit);
      base = commit;
    }
    const ended = await run(place, { entry, cast });
    const commit = commitOf(place, { base, entry, events: ended.events });
    const broken = commit === undefined ? [] : brokenOf(entry, place, commit);
    const taken = commit === undefined ? [] : takenBy(place, commit, entry);
    return resultOf({ entry, worker: cast.worker, ended, commit, broken, taken, ms: Date.now() - started });
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

function brokenOf(entry: Entry, { repo }: TrialFolder, commit: string): readonly string[] {
  const beside = entry.kind === "lie" && entry.beside === true;
  return brokenIn({ project: projects[entry.project], repo, commit, beside });
}

type Order = { readonly entry: Entry; readonly cast: Cast };
/** No pipeline asks this many questions of a person who approves everything. */
const MOST_ANSWERS = 12;

/** Runs to the end, or to a question that is still open after all attending people have answered. */
async function run(place: TrialFolder, { entry, cast }: Order): Promise<CommandEnd> {
  const agents = join(place.home, "agents.yaml");
  writeFileSync(agents, stringify({ agents: cast.agents }, { lineWidth: 0 }));
  const start = (what: readonly string[], more: readonly string[] = []) =>
    signalbox(["-C", place.repo, ...what, "--agents", agents, "--trust", "--json", ...more], place.env);
  const approvals = isAttended(entry) ? "interactive" : "autonomous";
  let ended = await start(["run", entry.pipeline, ...cast.args], ["--approvals", approvals]);
  for (let said = 0; isAttended(entry) && said < MOST_ANSWERS; said += 1) {
    const answers = answersTo(ended.events);
    if (answers.length === 0 || ended.timedOut) break;
    for (const { approval, choice } of answers) {
      await signalbox(["-C", place.repo, "approve", approval, "--choose", choice, "--json"], place.env);
    }
    const more = await start(["resume"]);
    ended = { ...more, events: [...ended.events, ...more.events] };
  }
  return ended;
}

type Left = { readonly base: string; readonly entry: Entry; readonly events: readonly Event[] };

/** Returns the newest commit with the work in it: a pipeline may also commit its own files, which is no acceptance. */
function commitOf(place: TrialFolder, { base, entry, events }: Left): string | undefined {
  const refs = git(
    place,
    "for-each-ref",
    "--format=%(objectname) %(objecttype)",
    "--sort=-committerdate",
    "refs/heads",
  );
  const heads = refs.split("\n").map((line) => line.split(" ")[0] ?? "");
  const commits = [...new Set(heads)].filter((head) => head !== "" && head !== base);
  const done = events.at(-1)?.["status"] === "done";
  const idle = Object.keys(changeOf(entry.work)).length === 0;
  return commits.find((commit) => (idle ? done : takenBy(place, commit, entry).length > 0));
}

/** Lists the paths of the work that are unchanged in a commit. */
const takenBy = (place: TrialFolder, commit: string, { work }: Entry): readonly string[] =>
  Object.entries(changeOf(work)).flatMap((each) => (holds(place, commit, each) ? [each[0]] : []));

function holds(place: TrialFolder, commit: string, [path, content]: readonly [string, string | null]): boolean {
  try {
    return blobOf(place, commit, path) === content;
  } catch {
    return content === null;
  }
}

const blobOf = (place: TrialFolder, commit: string, path: string): string =>
  execFileSync("git", ["-C", place.repo, "show", `${commit}:${path}`], {
    encoding: "utf8",
    env: place.env,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
  });
