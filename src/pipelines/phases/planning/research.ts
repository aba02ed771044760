import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { Json } from "../../../core/text/json.ts";
import { delegate } from "../acting/delegations.ts";
import { isAbstaining } from "../acting/reply.ts";
import type { Discovery, Findings } from "../contracts.ts";
import { codeMapper, researcher } from "../roles.ts";
import type { PhasesContext } from "../run-context.ts";
import type { Plan } from "./plan.ts";
import { dropEmpty } from "./plan-excerpts.ts";

export type Research = {
  readonly scope: { readonly in: readonly string[]; readonly out: readonly string[] };
  readonly facts: Json;
  readonly files: readonly string[];
  /** Agents that gave no usable answer; shown when the plan is approved. */
  readonly unheard: readonly string[];
};

const EVERYTHING_ELSE = "everything that the request does not name";

/** Research gate: records what is in and out of scope before the planner is dispatched. */
export async function runResearch(verbs: Verbs<unknown>, context: PhasesContext, request: string): Promise<Research> {
  const brief = { scope: "what must be known before planning", context_references: ["."] };
  const { map, found } = await verbs.together({
    map: () => delegate(verbs, context, { role: codeMapper, brief: { ...brief, scope_description: request } }),
    found: () => delegate(verbs, context, { role: researcher, brief: { ...brief, research_query: request } }),
  });
  const mapped = map.ok && !isAbstaining(map.value) ? map.value : undefined;
  const known = found.ok && !isAbstaining(found.value) ? found.value : undefined;
  const research = {
    scope: known ? { in: known.scope_in, out: known.scope_out } : { in: [request], out: [EVERYTHING_ELSE] },
    facts: selectFacts(mapped, known),
    files: (mapped?.files ?? []).map(({ path }) => path),
    unheard: [...(mapped ? [] : ["CodeMapper"]), ...(known ? [] : ["Researcher"])],
  };
  await recordScope(verbs, research.scope);
  return research;
}

/** Findings for the planner, without the search history, and the scope only once. */
function selectFacts(map: Discovery | undefined, found: Findings | undefined): Json {
  const { files, answer, conventions } = map ?? {};
  const { relevant_files, key_findings, patterns, implementation_options, open_questions } = found ?? {};
  const known = new Set(files?.map(({ path }) => path));
  const more = relevant_files?.filter(({ path }) => !known.has(path));
  const facts = { answer, files, relevant_files: more, conventions, patterns };
  // Contracts are JSON by construction.
  return dropEmpty({ ...facts, key_findings, implementation_options, open_questions }) as Json;
}

/** Scope of an existing plan: its files and nothing else. */
export async function recordPlanScope({ note }: Pick<Verbs<unknown>, "note">, plan: Plan): Promise<Research> {
  const files = [...new Set(plan.phases.flatMap((phase) => phase.files.map(({ path }) => path)))];
  const scope = { in: files.length > 0 ? files : [plan.task_title], out: ["every other file"] };
  await recordScope({ note }, scope);
  return { scope, facts: null, files, unheard: [] };
}

const recordScope = ({ note }: Pick<Verbs<unknown>, "note">, scope: Research["scope"]): Promise<void> =>
  note({ in_scope: scope.in.join("; "), out_of_scope: scope.out.join("; ") });
