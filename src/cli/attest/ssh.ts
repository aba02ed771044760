import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { SignatureVerdict, Signer, StatementSignature, TrustedSigners } from "./signer.ts";

/** Namespace of the signature. Signatures made for commits or logins are rejected. */
export const NAMESPACE = "signalbox-evidence";

const [BEGIN, END] = ["-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"];

/** Signs with ssh-keygen: the key may be in an agent, on a token or behind a passphrase, which ssh-keygen asks for. */
export function createSshSigner(key: string): Signer {
  return {
    async sign(bytes) {
      const { exit, out, err } = await runSshKeygen(["-Y", "sign", "-n", NAMESPACE, "-f", key], bytes);
      if (exit !== 0) {
        const hint = "Is it a private key, or the .pub of one that your ssh-agent holds? Pass another with --key.";
        throw new SignalboxError("KEY_UNUSABLE", `ssh-keygen did not sign with ${key}: ${readLastLine(err)}`, hint);
      }
      const signature = Buffer.from(out.replace(BEGIN, "").replace(END, ""), "base64");
      return { keyid: readKeyId(signature) ?? "", signature, detached: Buffer.from(out) };
    },
  };
}

/** Verifies with ssh-keygen, after checking that the stated key id is that of the key in the signature. */
export async function verifySsh(
  { pae, keyid, signature }: StatementSignature,
  trusted: TrustedSigners,
): Promise<SignatureVerdict> {
  const known = readKeyId(signature);
  if (known === undefined) return { ok: false, problem: "its signature is not an SSH signature" };
  if (keyid !== known) return { ok: false, problem: `it names key ${keyid}, but was signed by ${known}` };
  const folder = mkdtempSync(join(tmpdir(), "signalbox-verify-"));
  try {
    const file = join(folder, "signature");
    writeFileSync(file, formatSignature(signature));
    const signers = "key" in trusted ? writeAllowedSigners(trusted.key, folder) : trusted.allowedSigners;
    const named = "key" in trusted ? PRINCIPAL : await findPrincipal(file, signers);
    if (named === undefined) return { ok: false, problem: `key ${known} is not listed in ${signers}` };
    const args = ["-Y", "verify", "-f", signers, "-I", named, "-n", NAMESPACE, "-s", file];
    const { exit, err, out } = await runSshKeygen(args, pae);
    if (exit !== 0) return { ok: false, problem: `ssh-keygen rejected it: ${readLastLine(err || out)}` };
    return { ok: true, by: named === PRINCIPAL ? `key ${known}` : `${named} (${known})` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const PRINCIPAL = "the-named-key";

function writeAllowedSigners(key: string, folder: string): string {
  const text = readFileSync(/^ssh-|^ecdsa-|^sk-/.test(readFileSync(key, "utf8")) ? key : `${key}.pub`, "utf8").trim();
  const file = join(folder, "signers");
  writeFileSync(file, `${PRINCIPAL} namespaces="${NAMESPACE}" ${text.split("\n")[0] ?? ""}\n`);
  return file;
}

async function findPrincipal(signature: string, signers: string): Promise<string | undefined> {
  const { exit, out } = await runSshKeygen(["-Y", "find-principals", "-s", signature, "-f", signers]);
  return exit === 0 ? out.split("\n")[0]?.trim() || undefined : undefined;
}

function formatSignature(signature: Buffer): string {
  const lines = signature.toString("base64").match(/.{1,70}/g) ?? [];
  return `${[BEGIN, ...lines, END].join("\n")}\n`;
}

/**
 * Reads the key from the signature: magic, version, then the key as a length-prefixed string. The version is not
 * covered by the signature, and ssh-keygen accepts lower ones.
 */
function readKeyId(signature: Buffer): string | undefined {
  const head = Buffer.from("SSHSIG\0\0\0\u0001", "latin1");
  const at = head.length + 4;
  if (signature.length < at || !signature.subarray(0, head.length).equals(head)) return undefined;
  const length = signature.readUInt32BE(head.length);
  const key = signature.subarray(at, at + length);
  return key.length === length ? `SHA256:${hash("sha256", key, "base64").replace(/=+$/, "")}` : undefined;
}

type KeygenResult = { readonly exit: number | null; readonly out: string; readonly err: string };

function runSshKeygen(args: readonly string[], input: Buffer = Buffer.alloc(0)): Promise<KeygenResult> {
  return new Promise((resolve, fail) => {
    const child = spawn("ssh-keygen", args, { stdio: ["pipe", "pipe", "pipe"] });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => {
      out += String(chunk);
    });
    child.stderr.on("data", (chunk) => {
      err += String(chunk);
    });
    child.once("error", (cause) => fail(toMissingKeygenError(cause)));
    child.once("close", (exit) => resolve({ exit, out, err }));
    // ssh-keygen may exit before it reads its input.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

function toMissingKeygenError(cause: Error): SignalboxError {
  const hint = "Install it (Debian: apt-get install openssh-client), or use an ed25519 key in PEM: --key key.pem.";
  return new SignalboxError("PROGRAM_MISSING", `ssh-keygen cannot be started: ${cause.message}`, hint, { cause });
}

function readLastLine(text: string): string {
  return text.trim().split("\n").at(-1) || "no message";
}
