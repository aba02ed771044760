import { isSignaturePlace } from "../../../core/contract/template.ts";
import type { PreparedAttempt } from "./prepare-attempt.ts";

/** In whatever form a dialect has it: `- Agent Signature: X`, `"signature": "X",`, `signature: X`, also in bold. */
const STATED = /^[\s>*_-]*["'`]?(?:agent[ _-]?)?signature["'`]?[*_]*\s*:[*_\s]*["'`]?([^\n]*?)["'`]?[*_]*,?\s*$/gim;

type Signer = Pick<PreparedAttempt, "role" | "definition">;

/** The answer names itself, as somebody else: saying it again would not make the work its own. */
export function isSignedByAnother({ role, definition: { signature } }: Signer, text: string): boolean {
  const last = role.signed && signature !== undefined ? statedIn(text) : undefined;
  return last !== undefined && last !== signature;
}

/** The same, and where it does not name itself at all. */
export function isForeign(signer: Signer, text: string): boolean {
  const { role, definition } = signer;
  if (!role.signed || definition.signature === undefined) return false;
  return isSignedByAnother(signer, text) || !text.includes(definition.signature);
}

/** The last one counts, as the answer is at the end; the form's own place for one is none. */
function statedIn(text: string): string | undefined {
  const found = [...text.matchAll(STATED)].map((match) => (match[1] ?? "").trim());
  return found.findLast((value) => value !== "" && !value.startsWith("<") && !isSignaturePlace(value));
}
