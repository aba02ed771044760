import type { End } from "../../core/authoring/end.ts";
import type { Tree } from "../../core/authoring/tree.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import type { Json } from "../../core/text/json.ts";

/** What the run tells people about itself: where it is, what was odd, what it leaves open. */
export type RunReport = {
  /** Opens a step, and shows `status` how far the run is. */
  begin(title: string): Promise<void>;
  /** Something is not as it should be, and nothing stops for it. */
  warn(text: string): Promise<void>;
  /** Files that an agent changed and had no right to: they were not taken. */
  violated(by: string, paths: readonly string[]): Promise<void>;
  tell(facts: Readonly<Record<string, Json>>): Promise<void>;
  /** Remembered for whoever looks back on the run. */
  trouble(text: string): void;
  /** What was odd or had to be done again so far. */
  troubles(): readonly string[];
  /** Ends the run; not from inside a branch. */
  halt(unresolved: string): Promise<never>;
  done(summary: string): End;
};

/** The work so far; undefined as long as there is none. */
type WorkTree = () => Tree | undefined;

/** @rule C-40 (code) A run ends as DONE, or as ERROR with what is unresolved. */
export function openRunReport(
  { phase, note, end }: Pick<Verbs<unknown>, "phase" | "note" | "end">,
  workTree: WorkTree,
): RunReport {
  const warnings: string[] = [];
  const again: string[] = [];
  const violations: string[] = [];
  let told: Readonly<Record<string, Json>> = {};
  const facts = (): Record<string, Json> => ({ ...told, warnings: [...warnings], violations: [...violations] });
  const tell = async (more: Readonly<Record<string, Json>>): Promise<void> => {
    told = { ...told, ...more };
    await note(facts());
  };
  const left = (accepted: boolean, why: string): Record<string, Json> => {
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
      violations.push(...paths.map((path) => `${by}: ${path} is not its file and was not taken`));
      await tell({});
    },
    async halt(unresolved) {
      const result = `ERROR: ${unresolved}`;
      await tell({ result });
      return end({ status: "error", reason: result, report: { ...facts(), ...left(false, unresolved), result } });
    },
    done: (summary) => ({
      status: "done",
      report: { ...facts(), ...left(true, "reviewed and committed"), result: `DONE: ${summary}` },
    }),
  };
}
