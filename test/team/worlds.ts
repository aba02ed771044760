import { stringify } from "yaml";
import type { Json } from "../../src/core/text/json.ts";
import { world as clusters } from "../worlds/clusters.ts";
import { world as ledger } from "../worlds/ledger.ts";
import { world as phases } from "../worlds/phases.ts";
import { world as roadmap } from "../worlds/roadmap.ts";
import { world as ticket } from "../worlds/ticket.ts";
import type { RealWorld } from "../worlds/world.ts";

/** The five pipelines, in one repository with the files that each needs. */
export const WORLDS: readonly RealWorld[] = [roadmap, phases, ledger, clusters, ticket];

export const FILES: Readonly<Record<string, string>> = Object.assign({}, ...WORLDS.map(({ files }) => files));

export const CONFIG = "commands:\n  build: test -f README.md\n  test: node check.mjs\n";

/** The arguments and agents of the n-th run of a world. */
export type Start = { readonly args: readonly string[]; readonly agents: string };

/**
 * A ticket's branch and folder are named after it, so each run gets another ticket. Agents log their starts in `file`.
 */
export function startOf(world: RealWorld, n: number, file: string): Start {
  const own = (text: string): string => text.replaceAll("ABC-12", `ABC-${100 + n}`);
  return {
    args: [world.pipeline, ...world.args.map(own), "--approvals", "autonomous"],
    agents: own(stringify(addStartMarks(world, file))),
  };
}

/** Agents that also log their starts outside the engine's view. */
function addStartMarks({ agents }: RealWorld, file: string): Json {
  const mark = { run: `printf "%s\\n" "$SIGNALBOX_COOKIE" >> ${file}` };
  // Each rule of a scripted-agents file is a mapping; `do` is a list.
  const rules = agents as readonly { readonly do?: readonly Json[] }[];
  return { agents: rules.map((rule) => ({ ...rule, do: [mark, ...(rule.do ?? [])] })) };
}
