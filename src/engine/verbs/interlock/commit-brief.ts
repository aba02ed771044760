import { type Brief, briefOf, filesSection } from "../../../core/authoring/brief.ts";
import { requestOf } from "../../../core/authoring/request.ts";
import type { Run } from "../../run.ts";
import type { Examination } from "./interlock.ts";

/** What somebody reads who decides about a commit: what was asked for, what it would say, and what is open about it. */
export function commitBrief({ started }: Run, message: string, seen: Known): Brief {
  const { doubts, known, named = [], printed, settled, changed = [], excuses = [], diff = [], announced = [] } = seen;
  // A doubt that names its tests need not be followed by a list of the same.
  const unsaid = named.filter((name) => [...doubts, ...excuses].every((line) => !line.includes(name)));
  return briefOf([
    { title: "Asked for", lines: requestOf(started.input).trim().split("\n") },
    { title: "The commit would say", lines: message.trim().split("\n") },
    { title: "Evidence cannot decide", lines: doubts },
    { title: "Known of it", lines: known },
    { title: "Tests", lines: unsaid },
    { title: "Fails as announced", lines: announced },
    { title: "Accepting it excuses", lines: excuses },
    { title: "It changes the tests like this", lines: diff },
    { title: "The end will say", lines: seen.caveats },
    { title: "They printed", lines: printed?.printed ?? [] },
    { title: "All of it", lines: printed?.whole ?? [] },
    filesSection("It changes", changed),
    { title: "To settle it for good", lines: settled === undefined ? [] : [settled] },
  ]);
}

/** With what the pipeline itself says of the work. */
type Known = Examination & { readonly known: readonly string[] };
