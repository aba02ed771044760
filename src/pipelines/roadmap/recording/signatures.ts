import { withoutSigned } from "../../../core/contract/hide-signatures.ts";
import type { Json } from "../../../core/text/json.ts";
import { architect, research, review, testing } from "../roles.ts";

const BUILT_IN = [research, architect, testing, review].flatMap(
  ({ prompt = "" }) => /^SIGNED_VALUE: (\S+)$/m.exec(prompt)?.[1] ?? [],
);

/**
 * A contract without signatures in its texts: an agent that writes one into its learnings must not hand it to the
 * next. Values are known of the built-in definitions; a repository's own are recognized where they are named.
 * @rule R-17 (policy) A signature is in no input, learning, report or forwarded text; only its agent's own definition
 *   has it, which that agent's prompt begins with.
 */
export function withoutSignatures<T>(contract: T): T {
  // A contract is JSON, and only its texts change.
  return cleaned(contract as Json) as T;
}

function cleaned(value: Json): Json {
  if (typeof value === "string") return withoutSigned(value, BUILT_IN);
  if (Array.isArray(value)) return value.map((each: Json) => cleaned(each));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, inner === undefined ? inner : cleaned(inner)]),
  );
}
