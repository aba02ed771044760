import type { Evidence } from "../../../core/authoring/verbs.ts";
import type { Item } from "../choosing/roadmap.ts";

/** Commands of the approved configuration, by name. */
type Commands = Readonly<Record<string, string>>;
type VerificationChecks = Pick<Item, "verification">;

export type Verification = {
  /** All configured commands that ran; `named` marks those that the item names. */
  readonly ran: readonly { readonly command: string; readonly passed: boolean; readonly named?: true }[];
  readonly notRun: readonly string[];
};

/**
 * Configured commands that the item names. All commands run for every item; the named ones must be green even if they
 * were red before.
 */
export function listNamedCommands({ verification }: VerificationChecks, known: Commands): string[] {
  return Object.keys(known).filter((name) => verification.some((text) => matchCommand(text, known) === name));
}

/** Lists what the engine ran, and the item's checks that are not configured commands. */
export function describeVerification(
  { verification }: VerificationChecks,
  known: Commands,
  evidence?: Evidence,
): Verification {
  const named = listNamedCommands({ verification }, known);
  const ran = (evidence?.checks ?? []).flatMap(({ name, passed }) => {
    const command = known[name];
    return command === undefined
      ? []
      : [{ command, passed, ...(named.includes(name) ? { named: true as const } : {}) }];
  });
  return { ran, notRun: verification.filter((text) => matchCommand(text, known) === undefined) };
}

/** Matches a command by its name or its text, often in backticks. */
function matchCommand(text: string, known: Commands): string | undefined {
  const words = text
    .trim()
    .replace(/^`(.*)`$/, "$1")
    .trim();
  return Object.keys(known).find(
    (name) => words === name || normalizeCommand(words) === normalizeCommand(known[name] ?? ""),
  );
}

/** Treats `npm test` as `npm run test`, and omits `run` for pnpm and yarn scripts. */
function normalizeCommand(command: string): string {
  return command.replace(/^(npm) run (test)$|^(pnpm|yarn) run (\S+)$/, (_, ...words: (string | undefined)[]) =>
    words.slice(0, 4).filter(Boolean).join(" "),
  );
}
