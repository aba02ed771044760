import { withoutSigned } from "../../../core/contract/hide-signatures.ts";
import type { Json } from "../../../core/text/json.ts";
import { architect, research, review, testing } from "../roles.ts";

const BUILT_IN = [research, architect, testing, review].flatMap(
  ({ prompt = "" }) => /^SIGNED_VALUE: (\S+)$/m.exec(prompt)?.[1] ?? [],
);

/**
 * Removes signatures from a contract's texts, because an agent may write one into its learnings. Values of the built-in
 * definitions are known; a repository's own are recognized where they are named.
 * @rule R-17 (policy) The expected signature value appears in no task input, forwarded output, learning or report; only
 *   the agent's own definition contains it.
 */
export function hideSignatures<T>(contract: T): T {
  // A contract is JSON, and only its texts change.
  return removeSignatures(contract as Json) as T;
}

function removeSignatures(value: Json): Json {
  if (typeof value === "string") return withoutSigned(value, BUILT_IN);
  if (Array.isArray(value)) return value.map((each: Json) => removeSignatures(each));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, inner === undefined ? inner : removeSignatures(inner)]),
  );
}
