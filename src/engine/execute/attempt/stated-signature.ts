import { isSignaturePlace } from "../../../core/contract/template.ts";
import type { PreparedAttempt } from "./prepare-attempt.ts";

/** Matches each form of a dialect: `- Agent Signature: X`, `"signature": "X",`, `signature: X`, also in bold. */
const STATED = /^[\s>*_-]*["'`]?(?:agent[ _-]?)?signature["'`]?[*_]*\s*:[*_\s]*["'`]?([^\n]*?)["'`]?[*_]*,?\s*$/gim;

type Signer = Pick<PreparedAttempt, "role" | "definition">;

/** True if the answer is signed by another agent: answering again would not make the work its own. */
export function isSignedByAnother({ role, definition: { signature } }: Signer, text: string): boolean {
  const last = role.signed && signature !== undefined ? findStatedSignature(text) : undefined;
  return last !== undefined && last !== signature;
}

/** True if the answer is signed by another agent, or not at all. */
export function isForeign(signer: Signer, text: string): boolean {
  const { role, definition } = signer;
  if (!role.signed || definition.signature === undefined) return false;
  return isSignedByAnother(signer, text) || !text.includes(definition.signature);
}

/** Returns the last signature, as the answer is at the end; the placeholder of the form is none. */
function findStatedSignature(text: string): string | undefined {
  const found = [...text.matchAll(STATED)].map((match) => (match[1] ?? "").trim());
  return found.findLast((value) => value !== "" && !value.startsWith("<") && !isSignaturePlace(value));
}
