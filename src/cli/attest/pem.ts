import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { SignatureVerdict, Signer, StatementSignature } from "./signer.ts";

/** True for PEM. OpenSSH keys look similar and are handled by ssh-keygen. */
export function isPem(text: string): boolean {
  return /-----BEGIN (?:ENCRYPTED )?(?:PRIVATE|PUBLIC) KEY-----/.test(text);
}

export function createPemSigner(text: string, file: string): Signer {
  const key = readEd25519Key(() => createPrivateKey(text), file);
  const keyid = computeKeyId(createPublicKey(key));
  return {
    async sign(bytes) {
      const signature = sign(null, bytes, key);
      return { keyid, signature, detached: signature };
    },
  };
}

export function verifyPem({ pae, keyid, signature }: StatementSignature, text: string, file: string): SignatureVerdict {
  const key = readEd25519Key(() => createPublicKey(text), file);
  const known = computeKeyId(key);
  if (keyid !== known) return { ok: false, problem: `it names key ${keyid}, but yours is ${known}` };
  if (!verify(null, pae, key, signature)) return { ok: false, problem: `the signature was not made by key ${known}` };
  return { ok: true, by: `key ${known}` };
}

function readEd25519Key(read: () => KeyObject, file: string): KeyObject {
  const hint = "Use an ed25519 key in PEM without a passphrase, or an OpenSSH key, which may have one.";
  try {
    const key = read();
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch (error) {
    throw new SignalboxError("KEY_UNUSABLE", `The key ${file} cannot be used here.`, hint, { cause: error });
  }
  throw new SignalboxError("KEY_UNUSABLE", `The key ${file} is not an ed25519 key.`, hint);
}

/** Fingerprint in OpenSSH's form, computed over the DER encoding of the key. */
function computeKeyId(key: KeyObject): string {
  const der = key.export({ type: "spki", format: "der" });
  return `SHA256:${hash("sha256", der, "base64").replace(/=+$/, "")}`;
}
