import type { Depth } from "../../depth.ts";
import { toYaml } from "../artifacts.ts";
import type { LedgerContext } from "../context.ts";
import type { FOCUSES } from "../contracts.ts";
import { selectFocuses } from "../depth.ts";
import { getFirstText, toFields, toList } from "../documents/lenient-schema.ts";
import { researcher } from "../roles.ts";

const EXPANSIONS = 2;
/**
 * @rule L-04 (policy) Research runs four researchers in parallel, each retried once. The run continues with at least
 *   two DONE, else it ends in ERROR.
 */
const ENOUGH = 2;

type Focus = (typeof FOCUSES)[number];

const LOOKS_AT: Readonly<Record<Focus, string>> = {
  architecture: "the parts, their borders, and where the request would have to go",
  impact: "what uses the code that would change, and what could break, tests and documents included",
  dependencies: "packages, services, versions and settings that the work would meet",
  patterns: "how this project already does such things: names, errors, tests, style",
};

export type ResearchAnswer = { readonly focus: Focus } & Readonly<Record<string, unknown>>;

/**
 * Runs steps 1 and 1a: research, and up to two expansions that a person asks for.
 * @rule L-05 (declaration) The approval after research offers proceed, expand, abort and other; autonomous mode picks
 *   proceed.
 */
export async function runResearch(
  context: LedgerContext<{ request: string }>,
  { folder, depth }: { readonly folder: string; readonly depth: Depth },
) {
  const { ask, loop, fail, round: atRound } = context;
  const focuses = selectFocuses(depth);
  const enough = Math.min(ENOUGH, focuses.length);
  let notes = "";
  let earlier: readonly ResearchAnswer[] = [];
  const said: string[] = [];
  const { found } = await loop({ max: 1 + EXPANSIONS }, async ({ round }) => {
    atRound("research", round);
    const found = await dispatchResearchers(context, { folder, focuses, notes, earlier });
    if (found.length < enough) {
      return fail(`only ${found.length} of ${focuses.length} researchers delivered; ${enough} are needed`);
    }
    const go = await ask(createResearchQuestion({ folder, found, last: round > EXPANSIONS }));
    if (go.choice === "abort") return fail("aborted");
    notes = go.note ?? "";
    if (notes) said.push(notes);
    earlier = found;
    return { found, decision: go.decision };
  });
  for (const note of said) context.remark({ about: "the research", said: note });
  return found;
}

type ResearchState = { readonly folder: string; readonly found: readonly ResearchAnswer[]; readonly last: boolean };

/** The last question offers no expansion. */
export function createResearchQuestion({ folder, found, last }: ResearchState) {
  return {
    title: "Research is in. Go on to the specification?",
    show: found.map(toHeadlines),
    paths: found.map(({ focus }) => getResearchPath(folder, focus)),
    choices: last ? (["proceed", "abort"] as const) : (["proceed", "expand", "abort", "other"] as const),
    ...(last ? {} : { revises: "expand" as const, words: ["other"] as const }),
    leads: {
      proceed: "write the specification",
      expand: "continue the research with your note",
      abort: "end the run",
      other: "research what you write",
    },
    auto: "proceed",
    accepts: "proceed",
  } as const;
}

type ResearchOrder = {
  readonly folder: string;
  readonly focuses: readonly Focus[];
  readonly notes: string;
  readonly earlier: readonly ResearchAnswer[];
};

async function dispatchResearchers(
  context: LedgerContext<{ request: string }>,
  { folder, focuses, notes, earlier }: ResearchOrder,
) {
  const { input, attempt, parallel, write, heard } = context;
  const answers = await parallel(focuses, async (focus): Promise<ResearchAnswer | undefined> => {
    const own = earlier.find((each) => each.focus === focus);
    const before = own && { earlier: toHeadlines(own), documents: [getResearchPath(folder, focus)] };
    const again = { ...(notes && { notes }), ...before };
    const question = { request: input.request, focus, looks_at: LOOKS_AT[focus] };
    const answer = await attempt(researcher, { ...question, ...heard(), ...again }, { as: `researcher-${focus}` });
    if (!answer.ok) return undefined;
    const found = { focus, ...answer.value, ...assignFindingIds(focus, answer.value) };
    await write(getResearchPath(folder, focus), toYaml(found));
    return found;
  });
  return answers.filter((answer) => answer !== undefined);
}

const getResearchPath = (folder: string, focus: Focus): string => `${folder}/research/${focus}.yaml`;

/** Lists each finding by title and place. The documents contain the details. */
export const listHeadlines = (found: readonly ResearchAnswer[]): unknown => found.map(toHeadlines);

function toHeadlines({ focus, ...said }: ResearchAnswer): object {
  const findings = toList(said["findings"]).map((each) => {
    const where = toList(toFields(each)["evidence"]).join(", ");
    const id = getFirstText(each, "id");
    const title = getFirstText(each, "title", "text", "detail") ?? String(each);
    return `${id === undefined ? "" : `${id}: `}${title}${where && ` (${where})`}`;
  });
  const summary = getFirstText(said, "summary");
  return { focus, ...(summary !== undefined && { summary }), ...(findings.length > 0 && { findings }) };
}

/** Prefixes finding ids with their focus, because every researcher starts at F-1, and makes them unique. */
function assignFindingIds(focus: Focus, answer: Readonly<Record<string, unknown>>): { findings?: readonly unknown[] } {
  if (answer["findings"] === undefined) return {};
  const taken = new Set<string>();
  const findings = toList(answer["findings"]).map((each, at) => {
    const said = getFirstText(each, "id") ?? `F-${at + 1}`;
    const own = said.startsWith(`${focus}-`) ? said : `${focus}-${said}`;
    const id = taken.has(own) ? `${own}-${at + 1}` : own;
    taken.add(id);
    return typeof each === "string" ? { id, title: each } : { ...toFields(each), id };
  });
  return { findings };
}
