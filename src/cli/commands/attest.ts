import { resolve } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { canonical } from "../../core/text/json.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import { encodePreAuthentication, formatEnvelope } from "../../surfaces/statement/envelope.ts";
import { PAYLOAD_TYPE } from "../../surfaces/statement/statement.ts";
import { findSigningKey } from "../attest/key-file.ts";
import { buildRunStatement } from "../attest/run-statement.ts";
import { openSigner } from "../attest/signer.ts";
import type { Call } from "../call.ts";
import { verifyRun } from "../inspect/verify-run.ts";
import { writeReport } from "../report/write-reports.ts";
import { withRun } from "../runs/with-run.ts";

export type AttestFlags = { readonly key?: string; readonly out?: string; readonly detached?: boolean };

/** Signs a run's evidence as an in-toto statement. */
export async function attestRun(call: Call, runRef: string | undefined, flags: AttestFlags): Promise<number> {
  if (flags.detached && flags.out === undefined)
    throw new SignalboxError("USAGE", "--detached needs an output file.", "Add --out FILE.");
  return withRun(call, runRef, async (found) => {
    const { store, row, records } = found;
    const statement = await buildRunStatement(store.places.top, records);
    const [difference] = (await verifyRun(found)).differences;
    if (difference) throw toForgedError(row.id, difference.message);
    const signer = openSigner(await findSigningKey(flags.key, store.places.top));
    const payload = Buffer.from(canonical(redactDeep(statement, store.world.redact)));
    const pae = encodePreAuthentication(PAYLOAD_TYPE, payload);
    const { keyid, signature, detached } = await signer.sign(pae);
    const text = formatEnvelope(payload, { keyid, signature });
    if (flags.out === undefined) {
      // Written without redaction: changing a signed text would break its signature.
      process.stdout.write(text);
      return 0;
    }
    const out = resolve(flags.out);
    await writeReport(out, text);
    if (flags.detached) await Promise.all([writeReport(`${out}.pae`, pae), writeReport(`${out}.sig`, detached)]);
    const beside = flags.detached ? { detached: [`${out}.pae`, `${out}.sig`] } : {};
    if (call.json) call.emit({ v: 1, run: row.id, file: out, ...beside, keyid, subject: statement.subject });
    else {
      const files = ["", ...(flags.detached ? [".pae", ".sig"] : [])].map((end) => `${flags.out}${end}`);
      call.print(`${call.paint.green("✓")} signed ${row.id} with ${keyid}: ${files.join(", ")}`);
    }
    return 0;
  });
}

function toForgedError(run: string, message: string): SignalboxError {
  return new SignalboxError(
    "LEDGER_FORGED",
    `The records of ${run} differ from what the engine wrote: ${message}.`,
    `Nothing was signed. List all differences with \`signalbox evidence ${run} --verify\`.`,
  );
}
