import { declaredOf, type WorkKind } from "../work-kind.ts";
import type { TaskInput } from "./input.ts";

const ASKS_FOR_A_FIX = /^\W*(?:(?:please|can you|could you)\s+)?(?:fix|repair|mend|correct)\b/i;
const DOCUMENT = /\.(?:md|mdx|rst|adoc|txt)$/i;

type Done = { readonly kind: WorkKind; readonly changed: readonly string[] };

/**
 * What the work is examined as: what a person says that it is, then what the request asks for, then what its author calls
 * it. Whoever did the work cannot call a fix of code something else to be spared the test that shows it.
 */
export function declaredAs({ kind, request }: Pick<TaskInput, "kind" | "request">, done: Done) {
  if (kind !== undefined) return kind === "chore" ? {} : declaredOf([{ kind }]);
  const isFix = ASKS_FOR_A_FIX.test(request) && !done.changed.every((path) => DOCUMENT.test(path));
  return declaredOf([{ kind: isFix ? "fix" : done.kind }]);
}
