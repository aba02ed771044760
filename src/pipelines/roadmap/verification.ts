import type { Evidence } from "../../core/verbs.ts";
import type { Item } from "./roadmap.ts";

/** The commands of the approved configuration, by name. */
type Commands = Readonly<Record<string, string>>;
type Checks = Pick<Item, "verification">;

export type Verification = {
  readonly ran: readonly { readonly command: string; readonly passed: boolean }[];
  readonly notRun: readonly string[];
};

/** Which of the item's checks are commands that the configuration knows, by name; only those are ever run. */
export function commandsOf({ verification }: Checks, known: Commands): string[] {
  return Object.keys(known).filter((name) => verification.some((text) => meant(text, known) === name));
}

/** What the engine ran of them, and what it did not. */
export function verificationOf({ verification }: Checks, known: Commands, evidence?: Evidence): Verification {
  const ran = (evidence?.checks ?? []).flatMap(({ name, passed }) => {
    const command = known[name];
    return command === undefined ? [] : [{ command, passed }];
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
