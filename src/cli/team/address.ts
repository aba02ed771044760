import { SignalboxError } from "../../core/failure/errors.ts";
import { hasPassword } from "../../core/text/database-address.ts";
import { holdSecret } from "../secrets/secrets.ts";

function passwordIn(address: string): string | undefined {
  const url = URL.parse(address);
  return url?.password || url?.searchParams.get("password") || undefined;
}

/** From here on it is taken out of every text. One that is also the user's name would take that out too. */
export function holdPassword(address: string): void {
  const password = passwordIn(address);
  if (password === undefined) return;
  const plain = decodedOf(password);
  const ordinary = plain === URL.parse(address)?.username || plain === "postgres";
  for (const form of new Set([password, plain])) holdSecret("postgres", ordinary ? `:${form}@` : form);
}

function decodedOf(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What is committed is read by everybody who has the repository, for ever. */
export function refuseCommittedPassword(address: string | undefined, file: string): void {
  if (address === undefined || !hasPassword(address)) return;
  throw new SignalboxError(
    "CONFIG_INVALID",
    `${file} holds a password: \`postgres\` names one, and the file is shared by everybody who has the repository.`,
    "Write the address there without it, and with it into .signalbox/config.local.yaml or SIGNALBOX_POSTGRES; and change the password.",
  );
}
