import { createPhases } from "../../src/core/authoring/phases.ts";
import type { Pipeline } from "../../src/core/authoring/pipeline.ts";
import { scopes } from "../../src/engine/replay/scope.ts";
import type { Witness } from "./witness.ts";

/** Wraps a pipeline and records which phases it enters, and its reasons for commits. */
export function observed(pipeline: Pipeline, { cap, witness }: { cap: number; witness: Witness }): Pipeline {
  const declared = createPhases(pipeline.name, pipeline.phases);
  return {
    ...pipeline,
    cap,
    body: (verbs) =>
      pipeline.body({
        ...verbs,
        phase(title) {
          const scope = scopes.getStore()?.scope;
          const illegal = moveIsIllegal(declared, [scope?.phase, title, scope?.skipped ?? new Set()]);
          if (illegal) witness.undeclared.push(`${scope?.phase ?? "the start"} → ${title}`);
          witness.phases.add(title);
          verbs.phase(title);
        },
        commit(tree, options) {
          witness.reasons.push({ tree: tree.tree, because: options.because });
          return verbs.commit(tree, options);
        },
      }),
  };
}

type DeclaredMoves = { mayFollow(from: string | undefined, to: string, skipped: ReadonlySet<string>): void };

function moveIsIllegal(declared: DeclaredMoves, move: Parameters<DeclaredMoves["mayFollow"]>): boolean {
  try {
    declared.mayFollow(...move);
    return false;
  } catch {
    return true;
  }
}
