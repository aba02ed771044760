import type { Decision } from "../../core/decision.ts";
import type { Failure } from "../../core/failure.ts";
import type { CommitOptions, Verbs } from "../../core/verbs.ts";
import { type Run, renderedFiles } from "../run.ts";
import { done, once } from "./world.ts";

/** commit(), the interlock: no tree is committed that the gates named for it have not passed. */
export function commitVerbs(run: Run): Pick<Verbs<unknown>, "commit"> {
  return {
    commit(tree, options) {
      const branch = options.branch ?? `signalbox/${run.id}`;
      return done(run, {
        verb: "commit",
        name: "commit",
        input: {
          tree: tree.tree,
          message: options.message,
          branch: options.branch ?? null,
          ...(options.parent === undefined ? {} : { parent: options.parent }),
          because: options.because.map((each) => each.id),
        },
        work: async (place) => {
          const refusal = refused(run, tree.tree, options);
          if (refusal) return { failure: refusal };
          const request = {
            tree: tree.tree,
            rendered: renderedFiles(run),
            message: anchored(options.message, place.first),
            branch,
            parent: run.state.commits.get(branch) ?? options.parent ?? run.started.base.commit,
            date: place.first.ts,
          };
          return { value: await once(run, place, { kind: "commit", request }) };
        },
        keep: (value, { seq }) => {
          run.state.commits.set(branch, { seq, value: value.commit });
        },
      });
    },
  };
}

/** The commit names the journal's head at this moment: a history that was changed afterwards no longer leads to it. */
function anchored(message: string, first: { readonly seq: number; readonly chain: string }): string {
  const gap = /\n\n[A-Z][\w-]*: [^\n]*$/.test(message) ? "\n" : "\n\n";
  return `${message.trimEnd()}${gap}Signalbox-Chain: ${first.seq}:${first.chain}`;
}

/** Decisions are looked up by their id: what the pipeline hands in only names them. */
function refused(run: Run, tree: string, options: CommitOptions): Failure | undefined {
  if (options.because.length === 0) return refusal("no decision was named for it");
  for (const named of options.because) {
    const decision = run.state.decisions.get(named.id);
    if (!decision) return refusal(`"${named.id}" is not a decision of this run`);
    const why = misses(decision, tree);
    if (why) return refusal(`"${decision.gate}" ${why}`);
  }
  const blocker = run.state.standing
    .entries()
    .map(([, decision]) => decision)
    .find((decision) => decision.blocked);
  return blocker ? refusal(`"${blocker.gate}" still blocks`) : undefined;
}

function misses(decision: Decision, tree: string): string | undefined {
  if (!decision.passed) return "did not pass";
  if (decision.tree === undefined) return "does not say which tree it speaks of";
  return decision.tree === tree ? undefined : `speaks of another tree (${decision.tree})`;
}

function refusal(why: string): Failure {
  return { class: "deterministic", code: "COMMIT_REFUSED", message: `The commit was refused: ${why}.` };
}
