import { SignalboxError } from "../../core/failure/errors.ts";
import type { Call } from "../call.ts";
import { askConsent } from "../output/terminal-prompt.ts";
import { getUserName } from "../project/git-identity.ts";
import type { RepositoryCode } from "./repository-code.ts";
import type { TrustStore } from "./trust-store.ts";

/** Why the repository's code may run, or why not: it was never trusted, or has changed since. */
export type Trust = "nothing brought" | "this call" | "recorded" | "missing" | "changed";

export type TrustRequest = {
  readonly repositoryCode: RepositoryCode;
  readonly store: TrustStore;
  readonly flag: boolean | undefined;
  /** A run to be resumed: the content it was started with needs no second decision. */
  readonly run?: string | undefined;
};

/** Returns true if the flag or variable trusts the repository for this call. */
export function isTrustedForCall(flag: boolean | undefined): boolean {
  return flag === true || process.env["SIGNALBOX_TRUST"] === "1";
}

export async function checkTrust({ repositoryCode, store, flag, run }: TrustRequest): Promise<Trust> {
  if (repositoryCode.files.length + repositoryCode.commands === 0) return "nothing brought";
  if (isTrustedForCall(flag)) return "this call";
  return store.knows(repositoryCode, run);
}

/** @rule A-19 (policy) Code of a repository runs only after a person has trusted its exact content, or for one call. */
export function mayRun(trust: Trust): boolean {
  return trust !== "missing" && trust !== "changed";
}

/** Requires trust before any code of the repository runs. The error lists what would run. */
export async function requireTrust(call: Call, asked: TrustRequest): Promise<Trust> {
  const trust = await checkTrust(asked);
  if (mayRun(trust)) return trust;
  const { repositoryCode, store } = asked;
  const shown = `${trust === "changed" ? CHANGED_TEXT : UNTRUSTED_TEXT}\n${repositoryCode.shown.map((line) => `  ${line}`).join("\n")}`;
  if (!call.terminal) throw new SignalboxError("UNTRUSTED", shown, HINT);
  call.print(shown);
  if (!(await askConsent("Do you trust this repository?", { otherwise: false }))) {
    throw new SignalboxError(
      "UNTRUSTED",
      "The repository is not trusted. Nothing was run.",
      "Review the list above, then try again.",
    );
  }
  await store.record(repositoryCode.hash, getUserName());
  return "recorded";
}

/** Returns the command that records trust. Without a terminal `init` cannot ask. */
export const formatTrustHint = ({ terminal }: Pick<Call, "terminal">): string =>
  `\`signalbox init${terminal ? "" : " --yes"}\`, or --trust for this call`;

const UNTRUSTED_TEXT = "This repository contains code that signalbox would run:";
const CHANGED_TEXT = "The code of this repository has changed since you trusted it. signalbox would now run:";
const HINT =
  "Review it. To trust it, run `signalbox init` (with `--yes` if there is no terminal), or pass --trust (or SIGNALBOX_TRUST=1) for one call.";
