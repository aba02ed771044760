import { SignalboxError } from "../../core/failure/errors.ts";
import { readOutside } from "../../node/outside-file.ts";
import { parseEnvelope } from "../../surfaces/statement/envelope.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { compareStatement, type StatementComparison } from "../attest/compare.ts";
import { verifySignature } from "../attest/signer.ts";
import type { Call } from "../call.ts";

export type VerifyFlags = { readonly key?: string; readonly allowedSigners?: string; readonly run?: string };

const MAX_STATEMENT_BYTES = 64 * 1024 * 1024;

/** Verifies a statement: its signature, and whether journal, ledger and git still agree with it. */
export async function verifyStatement(call: Call, file: string, flags: VerifyFlags): Promise<number> {
  const trusted = parseTrusted(flags);
  const read = readOutside(file, MAX_STATEMENT_BYTES);
  if (!read.ok)
    throw new SignalboxError("USAGE", `${file} cannot be read: ${read.problem}.`, "Pass the path of a statement.");
  const envelope = parseEnvelope(read.text);
  if ("problem" in envelope)
    return printComparisons(call, file, [{ ok: false, what: "envelope", text: envelope.problem }]);
  const { statement } = envelope;
  const signed = await verifySignature(envelope, trusted);
  const whole = { ok: true, what: "envelope", text: "well-formed and canonical" };
  const signature = { ok: signed.ok, what: "signature", text: signed.ok ? `signed by ${signed.by}` : signed.problem };
  // An unsigned statement is not compared.
  const others = signed.ok ? await compareStatement(call, statement, flags.run) : [];
  return printComparisons(call, file, [whole, signature, ...others]);
}

function parseTrusted({ key, allowedSigners }: VerifyFlags) {
  if (key !== undefined) return { key };
  if (allowedSigners !== undefined) return { allowedSigners };
  throw new SignalboxError(
    "USAGE",
    "verify-statement needs a trusted signer.",
    "Add --key FILE (a public key), or --allowed-signers FILE (ssh-keygen's format).",
  );
}

function printComparisons(call: Call, file: string, seen: readonly StatementComparison[]): number {
  const holds = seen.every(({ ok }) => ok !== false);
  if (call.json) {
    call.emit({ v: 1, file, holds, seen });
    return holds ? 0 : 1;
  }
  const { paint } = call;
  const glyph = { true: paint.green("✓"), false: paint.red("✗"), null: paint.dim("–") };
  for (const { ok, what, text } of seen) call.print(`${glyph[`${ok}`]} ${what.padEnd(9)}  ${toOneLine(text, 400)}`);
  call.print(holds ? `${glyph.true} the statement is valid` : paint.red("✗ the statement is not valid"));
  return holds ? 0 : 1;
}
