import { getFirstText, toFields } from "./lenient-schema.ts";

export const CHANGES = ["create", "append", "modify", "delete"] as const;

export type Evaluation = {
  readonly artifact_path: string;
  readonly usefulness_score: number;
  readonly clarity_score: number;
  readonly missing_information: string | null;
  readonly inaccuracies: string | null;
  readonly impact_on_work: string | null;
};

/** Accepts only what the ledger can store: a path in the repository, and scores from 1 to 10. */
export function parseEvaluation(value: unknown): Evaluation[] {
  const fields = toFields(value);
  const artifact_path = getFirstText(value, "artifact_path", "path") ?? "";
  const score = (name: string): number => Math.round(Number(fields[name]));
  const scores = { usefulness_score: score("usefulness_score"), clarity_score: score("clarity_score") };
  if (artifact_path === "" || /^(?:\/|\.\.\/)/.test(artifact_path)) return [];
  if (!Object.values(scores).every((each) => each >= 1 && each <= 10)) return [];
  const note = (name: string): string | null => getFirstText(value, name)?.slice(0, 2000) ?? null;
  return [
    {
      artifact_path,
      ...scores,
      missing_information: note("missing_information"),
      inaccuracies: note("inaccuracies"),
      impact_on_work: note("impact_on_work"),
    },
  ];
}

export type InstructionUpdate = {
  readonly file_path: string;
  readonly change_type: string;
  readonly change_summary: string;
};

/** Accepts only proposals about instruction files. */
export function parseInstructionUpdate(value: unknown): InstructionUpdate[] {
  const file_path = getFirstText(value, "file_path", "path") ?? "";
  const change_type = getFirstText(value, "change_type", "type")?.toLowerCase() ?? "";
  const allowed = file_path.startsWith(".github/instructions/") || file_path === ".github/copilot-instructions.md";
  if (!allowed || file_path.includes("..") || !CHANGES.some((each) => each === change_type)) return [];
  return [
    { file_path, change_type, change_summary: (getFirstText(value, "change_summary", "summary") ?? "").slice(0, 1000) },
  ];
}
