import { SignalboxError } from "../../core/failure/errors.ts";
import type { Call } from "../call.ts";
import { askConsent } from "../output/terminal-prompt.ts";
import { userName } from "../project/git-identity.ts";
import type { RepositoryCode } from "./repository-code.ts";
import type { TrustStore } from "./trust-store.ts";

/** Why what a repository brings may run, or why not: it was never agreed to, or is no longer what was agreed to. */
export type Trust = "nothing brought" | "this call" | "recorded" | "missing" | "changed";

export type TrustRequest = {
  readonly repositoryCode: RepositoryCode;
  readonly store: TrustStore;
  readonly flag: boolean | undefined;
  /** A run that is to go on: what it was started under needs no second yes. */
  readonly run?: string | undefined;
};

/** Said for this call alone. */
export function isTrusted(flag: boolean | undefined): boolean {
  return flag === true || process.env["SIGNALBOX_TRUST"] === "1";
}

export async function trustOf({ repositoryCode, store, flag, run }: TrustRequest): Promise<Trust> {
  if (repositoryCode.files.length + repositoryCode.commands === 0) return "nothing brought";
  if (isTrusted(flag)) return "this call";
  return store.knows(repositoryCode, run);
}

/** @rule A-19 (policy) What a repository brings runs only after a yes to its very content, or for one call. */
export function mayRun(trust: Trust): boolean {
  return trust !== "missing" && trust !== "changed";
}

/** What a repository brings is code: without a person's yes nothing of it runs, and the refusal shows what would. */
export async function requireTrust(call: Call, asked: TrustRequest): Promise<Trust> {
  const trust = await trustOf(asked);
  if (mayRun(trust)) return trust;
  const { repositoryCode, store } = asked;
  const shown = `${trust === "changed" ? CHANGED : NEW}\n${repositoryCode.shown.map((line) => `  ${line}`).join("\n")}`;
  if (!call.terminal) throw new SignalboxError("UNTRUSTED", shown, HINT);
  call.print(shown);
  if (!(await askConsent("Do you trust it?", { otherwise: false }))) {
    throw new SignalboxError("UNTRUSTED", "Nothing of it was run.", "Look at what is listed above, then try again.");
  }
  await store.record(repositoryCode.hash, userName());
  return "recorded";
}

/** The line that gives it for good; without a terminal `init` can ask nobody. */
export const trustHint = ({ terminal }: Pick<Call, "terminal">): string =>
  `\`signalbox init${terminal ? "" : " --yes"}\`, or --trust for this call`;

const NEW = "This repository brings code that signalbox would run:";
const CHANGED = "What this repository brings has changed since your yes. It would now run:";
const HINT =
  "Read it; if you trust it, say so once with `signalbox init` (`--yes` where there is no terminal), or for one call with --trust (or SIGNALBOX_TRUST=1).";
