import { type Brief, briefOf, filesSection } from "../../../core/authoring/brief.ts";
import { getRequest } from "../../../core/authoring/request.ts";
import type { Run } from "../../run.ts";
import type { Examination } from "./interlock.ts";

/** Lists what a person needs to decide about a commit: the request, the commit message and what is open. */
export function formatCommitBrief({ started }: Run, message: string, seen: BriefInput): Brief {
  const { doubts, known, named = [], printed, settled, changed = [], excuses = [], diff = [], announced = [] } = seen;
  // Tests that a finding already names are not listed again.
  const unsaid = named.filter((name) => [...doubts, ...excuses].every((line) => !line.includes(name)));
  return briefOf([
    { title: "Request", lines: getRequest(started.input).trim().split("\n") },
    { title: "Commit message", lines: message.trim().split("\n") },
    { title: "Open findings", lines: doubts },
    { title: "Known caveats", lines: known },
    { title: "Tests", lines: unsaid },
    { title: "Fails as announced", lines: announced },
    { title: "Accepting it excuses", lines: excuses },
    { title: "Changes to the tests", lines: diff },
    { title: "Caveats of the run", lines: seen.caveats },
    { title: "Output", lines: printed?.printed ?? [] },
    { title: "Complete output", lines: printed?.whole ?? [] },
    filesSection("Changed files", changed),
    { title: "How to settle it for good", lines: settled === undefined ? [] : [settled] },
  ]);
}

/** An examination with the caveats that the pipeline itself names. */
type BriefInput = Examination & { readonly known: readonly string[] };
