import type { AttemptRequest, AttemptResult } from "../../src/core/journal/effect.ts";
import { type Files, RED } from "../support/answers/paper-world.ts";
import type { Chance } from "./chance.ts";
import type { Trees } from "./trees.ts";

type Done = Extract<AttemptResult, { outcome: "done" }>;

/** Changes to files that an agent's contract does not mention. */
export type FileHabit =
  | "does its part"
  | "is late"
  | "changes nothing"
  | "writes outside"
  | "weakens a test"
  | "breaks the build"
  | "leaves half a file";

type Work = { readonly good: Done; readonly habit: FileHabit; readonly chance: Chance };

/** Returns the files of a role as a workspace would read them; its claim stays unchanged. */
export function withHabit(trees: Trees, request: AttemptRequest, { good, habit, chance }: Work): AttemptResult {
  if (good.after === undefined || habit === "does its part" || habit === "is late") return good;
  const before = trees.files(request.tree);
  const after = trees.files(good.after);
  const touched = Object.keys(after).filter((path) => after[path] !== before[path]);
  if (habit === "changes nothing") return checkDelivery(request, { ...good, after: request.tree, changed: [] }, before);
  if (habit === "writes outside") {
    const outside = [...(good.outside ?? []), chance.pick(OUTSIDE)];
    if (request.outside === "fail") return breach("write_outside", `changed files that are not its own: ${outside}`);
    return { ...good, outside };
  }
  const path = habit === "weakens a test" ? TEST : touched[0];
  if (path === undefined) return good;
  const files = { ...after, [path]: SPOILED[habit](after[path] ?? "") };
  return checkDelivery(request, { ...good, after: trees.of(files), changed: [...new Set([...touched, path])] }, files);
}

const OUTSIDE = ["package.json", ".github/workflows/ci.yml", "src/other.ts"];
const TEST = "test/greet.test.ts";
const SPOILED = {
  "weakens a test": () => 'test.skip("greets", () => {\n  expect(true).toBe(true);\n});\n',
  "breaks the build": (text: string) => `${text}\n// ${RED}\n`,
  "leaves half a file": (text: string) => text.slice(0, Math.floor(text.length / 2)),
};

function checkDelivery({ delivers = [] }: AttemptRequest, done: Done, files: Files): AttemptResult {
  const missing = delivers.filter((path) => (files[path] ?? "").trim() === "");
  return missing.length === 0 ? done : breach("output_missing", `missing or empty: ${missing.join(", ")}`);
}

const breach = (code: string, message: string): AttemptResult => ({
  outcome: "failed",
  failure: { class: "contract", code, message },
  ms: 0,
});
