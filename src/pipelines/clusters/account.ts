import type { End } from "../../core/end.ts";
import type { Json } from "../../core/json.ts";
import type { Verbs } from "../../core/verbs.ts";

/** What the run tells people about itself: where it is, what was odd, what it leaves open. */
export type Account = {
  /** Opens a step, and shows `status` how far the run is. */
  begin(title: string): Promise<void>;
  /** Something is not as it should be, and nothing stops for it. */
  warn(text: string): Promise<void>;
  /** Files that an agent changed and had no right to: they were not taken. */
  violated(by: string, paths: readonly string[]): Promise<void>;
  tell(facts: Readonly<Record<string, Json>>): Promise<void>;
  /** Ends the run; not from inside a branch. */
  halt(unresolved: string): Promise<never>;
  done(summary: string): End;
};

export function openAccount({ phase, note, end }: Pick<Verbs<unknown>, "phase" | "note" | "end">): Account {
  const warnings: string[] = [];
  const violations: string[] = [];
  let told: Readonly<Record<string, Json>> = {};
  const facts = (): Record<string, Json> => ({ ...told, warnings: [...warnings], violations: [...violations] });
  const tell = async (more: Readonly<Record<string, Json>>): Promise<void> => {
    told = { ...told, ...more };
    await note(facts());
  };
  return {
    tell,
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
      return end({ status: "error", reason: result, report: { ...facts(), result } });
    },
    done: (summary) => ({ status: "done", report: { ...facts(), result: `DONE: ${summary}` } }),
  };
}
