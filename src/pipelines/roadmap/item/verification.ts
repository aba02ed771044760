import type { Evidence } from "../../../core/authoring/verbs.ts";
import type { Item } from "../choosing/roadmap.ts";

/** The commands of the approved configuration, by name. */
type Commands = Readonly<Record<string, string>>;
type Checks = Pick<Item, "verification">;

export type Verification = {
  /** Every command of the configuration; `named` are those that the item asks for by itself. */
  readonly ran: readonly { readonly command: string; readonly passed: boolean; readonly named?: true }[];
  readonly notRun: readonly string[];
};

/**
 * Which of the item's checks are commands of the configuration, by name. All of those are run for every item; these the
 * item wants to see green, also where they were red before.
 */
export function namedIn({ verification }: Checks, known: Commands): string[] {
  return Object.keys(known).filter((name) => verification.some((text) => meant(text, known) === name));
}

/** What the engine ran, and which of the item's checks are no commands. */
export function verificationOf({ verification }: Checks, known: Commands, evidence?: Evidence): Verification {
  const named = namedIn({ verification }, known);
  const ran = (evidence?.checks ?? []).flatMap(({ name, passed }) => {
    const command = known[name];
    return command === undefined
      ? []
      : [{ command, passed, ...(named.includes(name) ? { named: true as const } : {}) }];
  });
  return { ran, notRun: verification.filter((text) => meant(text, known) === undefined) };
}

/** People write a command by its name or as it is typed, often in backticks. */
function meant(text: string, known: Commands): string | undefined {
  const said = text
    .trim()
    .replace(/^`(.*)`$/, "$1")
    .trim();
  return Object.keys(known).find((name) => said === name || plain(said) === plain(known[name] ?? ""));
}

/** `npm test` is short for `npm run test`; pnpm and yarn let `run` be left out before every script. */
function plain(command: string): string {
  return command.replace(/^(npm) run (test)$|^(pnpm|yarn) run (\S+)$/, (_, ...said: (string | undefined)[]) =>
    said.slice(0, 4).filter(Boolean).join(" "),
  );
}
