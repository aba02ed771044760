import { readFileSync } from "node:fs";
import { SignalboxError } from "../../core/failure/errors.ts";
import { createPemSigner, isPem, verifyPem } from "./pem.ts";
import { createSshSigner, verifySsh } from "./ssh.ts";

/** Signs bytes and returns the id of its key. */
export type Signer = { sign(bytes: Buffer): Promise<SignedBytes> };
export type SignedBytes = {
  readonly keyid: string;
  readonly signature: Buffer;
  /** Signature file for the external tool (`ssh-keygen` or `openssl`). */
  readonly detached: Buffer;
};

export type SignatureVerdict =
  | { readonly ok: true; readonly by: string }
  | { readonly ok: false; readonly problem: string };
export type StatementSignature = { readonly pae: Buffer; readonly keyid: string; readonly signature: Buffer };

export function openSigner(key: string): Signer {
  const text = readKeyText(key);
  return isPem(text) ? createPemSigner(text, key) : createSshSigner(key);
}

/** `key`: one public key; `allowedSigners`: a file in ssh-keygen's allowed-signers format. */
export type TrustedSigners = { readonly key: string } | { readonly allowedSigners: string };

export async function verifySignature(signed: StatementSignature, trusted: TrustedSigners): Promise<SignatureVerdict> {
  if ("allowedSigners" in trusted) {
    readKeyText(trusted.allowedSigners);
    return verifySsh(signed, trusted);
  }
  const text = readKeyText(trusted.key);
  return isPem(text) ? verifyPem(signed, text, trusted.key) : verifySsh(signed, trusted);
}

function readKeyText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SignalboxError("KEY_UNUSABLE", `The key ${file} cannot be read: ${why}`, "Pass another with --key.", {
      cause: error,
    });
  }
}
