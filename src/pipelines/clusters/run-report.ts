import type { End } from "../../core/authoring/end.ts";
import type { Tree } from "../../core/authoring/tree.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import type { Json } from "../../core/text/json.ts";

/** Reports of the run to people: its step, its warnings, its open issues. */
export type RunReport = {
  /** Starts a step and shows it in `status`. */
  begin(title: string): Promise<void>;
  /** Records a warning; the run continues. */
  warn(text: string): Promise<void>;
  /** Records files that an agent changed without permission; they were discarded. */
  violated(by: string, paths: readonly string[]): Promise<void>;
  tell(getFacts: Readonly<Record<string, Json>>): Promise<void>;
  /** Records a problem for r-knowledge. */
  trouble(text: string): void;
  /** Lists the problems, warnings and violations so far. */
  troubles(): readonly string[];
  /** Ends the run. Not allowed inside a parallel branch. */
  halt(unresolved: string): Promise<never>;
  done(summary: string): End;
};

/** The work so far; undefined before there is any. */
type WorkTree = () => Tree | undefined;

/** @rule C-40 (code) A run ends as DONE or as ERROR with the unresolved issues, never as NEEDS_REVISION. */
export function openRunReport(
  { phase, note, end }: Pick<Verbs<unknown>, "phase" | "note" | "end">,
  workTree: WorkTree,
): RunReport {
  const warnings: string[] = [];
  const again: string[] = [];
  const violations: string[] = [];
  let told: Readonly<Record<string, Json>> = {};
  const getFacts = (): Record<string, Json> => ({ ...told, warnings: [...warnings], violations: [...violations] });
  const tell = async (more: Readonly<Record<string, Json>>): Promise<void> => {
    told = { ...told, ...more };
    await note(getFacts());
  };
  const describeWork = (accepted: boolean, why: string): Record<string, Json> => {
    const work = workTree();
    return work ? { work: { tree: work.tree, accepted, why } } : {};
  };
  return {
    tell,
    trouble: (text) => {
      again.push(text);
    },
    troubles: () => [...again, ...warnings, ...violations],
    async begin(title) {
      phase(title);
      await tell({ step: title });
    },
    async warn(text) {
      warnings.push(text);
      await tell({});
    },
    async violated(by, paths) {
      violations.push(...paths.map((path) => `${by}: ${path} is not one of its files and was discarded`));
      await tell({});
    },
    async halt(unresolved) {
      const result = `ERROR: ${unresolved}`;
      await tell({ result });
      return end({
        status: "error",
        reason: result,
        report: { ...getFacts(), ...describeWork(false, unresolved), result },
      });
    },
    done: (summary) => ({
      status: "done",
      report: { ...getFacts(), ...describeWork(true, "reviewed and committed"), result: `DONE: ${summary}` },
    }),
  };
}
