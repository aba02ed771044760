import { SignalboxError } from "../../core/failure/errors.ts";
import { hasPassword } from "../../core/text/database-address.ts";
import { addSecret } from "../secrets/secrets.ts";

function findPassword(address: string): string | undefined {
  const url = URL.parse(address);
  return url?.password || url?.searchParams.get("password") || undefined;
}

/**
 * Redacts the password from all output. If it equals the user name, only its position in the address is redacted,
 * because the name would disappear as well.
 */
export function holdPassword(address: string): void {
  const password = findPassword(address);
  if (password === undefined) return;
  const plain = decodeText(password);
  const ordinary = plain === URL.parse(address)?.username || plain === "postgres";
  for (const form of new Set([password, plain])) addSecret("postgres", ordinary ? `:${form}@` : form);
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Rejects a password in a committed file, where everybody with the repository can read it permanently. */
export function refuseCommittedPassword(address: string | undefined, file: string): void {
  if (address === undefined || !hasPassword(address)) return;
  throw new SignalboxError(
    "CONFIG_INVALID",
    `${file} contains a password in \`postgres\`, and everybody with the repository can read the file.`,
    "Remove the password there, put the full address in .signalbox/config.local.yaml or SIGNALBOX_POSTGRES, and change the password.",
  );
}
