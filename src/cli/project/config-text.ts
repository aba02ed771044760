import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import type { DetectedProject } from "../../core/checks/detect/detect-commands.ts";
import { readThroughLinks } from "../../node/checkout-file.ts";
import { sha256 } from "../../node/digest.ts";
import { oneLine } from "../../surfaces/terminal/clean-text.ts";
import type { TriedCheck } from "../doctor/trial.ts";
import { said } from "./config-sources.ts";
import { makeFolder } from "./make-folder.ts";
import type { RepositoryPlaces } from "./repository.ts";

export type Proposal = {
  readonly driver: string | undefined;
  /** Other drivers whose programs are installed here. */
  readonly others: readonly string[];
  /** Undefined where somebody does not want the checks that were found. */
  readonly detected: DetectedProject | undefined;
  /** Those that could not run here, when they were tried. */
  readonly unfit?: readonly TriedCheck[];
  /** When they were tried: what is said of it stays true when it is cured. */
  readonly tried: Date;
};

/** A configuration to begin with: what was found, and beside it what else could be said. */
export function configText({ driver, others, detected, unfit = [], tried }: Proposal): string {
  return `# Settings of signalbox for this repository; everybody who works on it shares them.
# Your own go into .signalbox/config.local.yaml, which git does not see.
# What counts in the end: \`signalbox config explain\`. Every key: docs/reference/configuration.md of signalbox.

${commandsText(detected, unfitText(unfit, tried), unfit)}
${agentsText(driver, others)}
# approvals: interactive   # or autonomous: each question's own default is taken
# sandbox: auto            # or required, off
# budget: 10               # US dollars; a ledger run takes 17 to 27 dispatches, one of unknown cost counts as $0.25
# max-dispatches: 40       # also max-time: 2h
# protected: ["migrations/**"]
# documents: apart         # how the work was done, in a commit of its own; or none
`;
}

function commandsText(detected: DetectedProject | undefined, comments: string, unfit: readonly TriedCheck[]): string {
  const about = "# What the engine runs on a clean checkout to judge work, by name. `setup` prepares the checkout.\n";
  if (!detected) return `${about}commands: {}\n`;
  const { commands, setup } = detected;
  if (commands.length === 0) return `${about}# commands:\n#   test: make test\n`;
  const prepare = setup && {
    setup: setup.lockFile === undefined ? setup.run : { run: setup.run, "lock-file": setup.lockFile },
  };
  const fit = commands.filter(({ name }) => unfit.every((each) => each.name !== name));
  const lines = Object.fromEntries(fit.map(({ name, ...line }) => [name, said(line)]));
  // Without a command that runs, a set-up prepares nothing.
  if (fit.length === 0) return `${about}${comments}`;
  return `${about}${stringify({ commands: { ...prepare, ...lines } }, { lineWidth: 0 })}${comments}`;
}

/** How a line begins about checks that could not run. */
export const TRIED = "When init tried";

/** What could not run is no check; how it could be one stays beside it, once where one reason keeps several. */
function unfitText(unfit: readonly TriedCheck[], tried: Date): string {
  const day = tried.toISOString().slice(0, 10);
  const reasons = Map.groupBy(unfit, ({ because, cure }) => [because, ...cure].join("\n"));
  return [...reasons.values()]
    .flatMap((checks) => {
      const [{ because, cure } = { because: "", cure: [] }] = checks;
      const names = checks.map(({ name, run }) => `${name} (${run})`).join(", ");
      return [`${TRIED} ${names} here on ${day}, it could not run: ${oneLine(because, 280)}`, ...cure];
    })
    .map((line) => `# ${line}\n`)
    .join("");
}

function agentsText(driver: string | undefined, others: readonly string[]): string {
  const about = "# Who plays the roles; * is every role that has no line of its own. Roles: `signalbox agents list`.\n";
  if (driver === undefined) return `${about}# agents:\n#   "*": { driver: codex }\n`;
  const chosen = `${about}agents:\n  "*": { driver: ${driver} }\n`;
  const [other] = others;
  if (other === undefined) return chosen;
  const examples = [
    [`# reviewer: { driver: ${other} }`, "one role for another program"],
    [`# "*": { driver: ${driver}, instead: { driver: ${other} } }`, "or while its usage window is used up"],
  ] as const;
  const width = Math.max(...examples.map(([line]) => line.length));
  return `${chosen}${examples.map(([line, about]) => `  ${line.padEnd(width)}  # ${about}\n`).join("")}`;
}

/**
 * - `none`: there is no configuration yet.
 * - `unfinished`: `init` wrote it without a check that could not run then, and nobody has changed it since.
 * - `kept`: somebody's own, which `init` never writes over.
 */
export type ConfigStanding = "none" | "unfinished" | "kept";

export function configStanding(places: RepositoryPlaces): ConfigStanding {
  const read = readThroughLinks(places.config);
  if (!read.ok) return read.gone ? "none" : "kept";
  return sha256(read.text) === textOf(markOf(places)) ? "unfinished" : "kept";
}

type Written = { readonly text: string; readonly lacks: boolean };

/** `lacks`: without a check that was found. Never over a file that somebody wrote or changed meanwhile. */
export async function writeConfig(places: RepositoryPlaces, { text, lacks }: Written): Promise<void> {
  await makeFolder(places.own);
  const replaces = configStanding(places) === "unfinished";
  await writeFile(places.config, text, { flag: replaces ? "w" : "wx" });
  if (lacks) await writeFile(markOf(places), sha256(text));
  else await rm(markOf(places), { force: true });
}

/** Whether it still says of a check that `init` could not run it. */
export function saysUnfit(places: RepositoryPlaces): boolean {
  return textOf(places.config)?.includes(TRIED) ?? false;
}

const markOf = ({ own }: RepositoryPlaces): string => join(own, "unfinished-init");

function textOf(file: string): string | undefined {
  const read = readThroughLinks(file);
  return read.ok ? read.text : undefined;
}
