/** What a planner may call a piece of work; whoever says nothing has declared nothing. */
export const WORK_KINDS = ["fix", "feature", "refactor", "docs", "other"] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** What the work as a whole is declared to be: one feature among its parts makes it one, then one fix. */
export function declaredOf(parts: readonly { readonly kind?: WorkKind | undefined }[]): {
  readonly declared?: "feature" | "fix";
} {
  const declared = (["feature", "fix"] as const).find((word) => parts.some(({ kind }) => kind === word));
  return declared === undefined ? {} : { declared };
}
