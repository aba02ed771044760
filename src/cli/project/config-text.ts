import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import type { DetectedProject } from "../../core/checks/detect/detect-commands.ts";
import { readThroughLinks } from "../../node/checkout-file.ts";
import { sha256 } from "../../node/digest.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { TriedCheck } from "../doctor/trial.ts";
import { toConfiguredCommand } from "./config-sources.ts";
import { makeFolder } from "./make-folder.ts";
import type { RepositoryPlaces } from "./repository.ts";

export type ConfigProposal = {
  readonly driver: string | undefined;
  /** Other drivers whose programs are installed. */
  readonly others: readonly string[];
  /** Undefined if the user declined the detected checks. */
  readonly detected: DetectedProject | undefined;
  /** Checks that could not run when they were tried. */
  readonly unfit?: readonly TriedCheck[];
  /**
   * When the checks were tried. It is written to the file, so that its remark stays correct after the problem is fixed.
   */
  readonly tried: Date;
};

/** Renders an initial configuration: detected settings, and commented examples of others. */
export function renderConfig({ driver, others, detected, unfit = [], tried }: ConfigProposal): string {
  return `# Signalbox settings for this repository, shared with everybody who works on it.
# Put your own settings in .signalbox/config.local.yaml, which git ignores.
# Show the effective settings: \`signalbox config explain\`. All keys: docs/reference/configuration.md of signalbox.

${renderCommands(detected, renderUnfitChecks(unfit, tried), unfit)}
${renderAgents(driver, others)}
# approvals: interactive   # or autonomous: take each question's default
# sandbox: auto            # or required, off
# budget: 10               # US dollars; a ledger run takes 17 to 27 dispatches, unknown cost counts as $0.25
# max-dispatches: 40       # also max-time: 2h
# protected: ["migrations/**"]
# documents: apart         # put process documents in a separate commit; or none
`;
}

function renderCommands(detected: DetectedProject | undefined, comments: string, unfit: readonly TriedCheck[]): string {
  const about =
    "# Commands that the engine runs on a clean checkout to judge work, by name. `setup` prepares the checkout.\n";
  if (!detected) return `${about}commands: {}\n`;
  const { commands, setup } = detected;
  if (commands.length === 0) return `${about}# commands:\n#   test: make test\n`;
  const prepare = setup && {
    setup: setup.lockFile === undefined ? setup.run : { run: setup.run, "lock-file": setup.lockFile },
  };
  const fit = commands.filter(({ name }) => unfit.every((each) => each.name !== name));
  const lines = Object.fromEntries(fit.map(({ name, ...line }) => [name, toConfiguredCommand(line)]));
  // The set-up has no purpose if there is no check.
  if (fit.length === 0) return `${about}${comments}`;
  return `${about}${stringify({ commands: { ...prepare, ...lines } }, { lineWidth: 0 })}${comments}`;
}

/** Start of a comment about checks that could not run. */
export const UNFIT_MARKER = "When init tried";

/** Renders checks that could not run as comments with the fix. Checks with the same reason share a comment. */
function renderUnfitChecks(unfit: readonly TriedCheck[], tried: Date): string {
  const day = tried.toISOString().slice(0, 10);
  const reasons = Map.groupBy(unfit, ({ because, cure }) => [because, ...cure].join("\n"));
  return [...reasons.values()]
    .flatMap((checks) => {
      const [{ because, cure } = { because: "", cure: [] }] = checks;
      const names = checks.map(({ name, run }) => `${name} (${run})`).join(", ");
      return [`${UNFIT_MARKER} ${names} here on ${day}, it could not run: ${toOneLine(because, 280)}`, ...cure];
    })
    .map((line) => `# ${line}\n`)
    .join("");
}

function renderAgents(driver: string | undefined, others: readonly string[]): string {
  const about =
    "# Agent for each role; * applies to every role without its own line. List roles: `signalbox agents list`.\n";
  if (driver === undefined) return `${about}# agents:\n#   "*": { driver: codex }\n`;
  const chosen = `${about}agents:\n  "*": { driver: ${driver} }\n`;
  const [other] = others;
  if (other === undefined) return chosen;
  const examples = [
    [`# reviewer: { driver: ${other} }`, "another agent for one role"],
    [
      `# "*": { driver: ${driver}, instead: { driver: ${other} } }`,
      "or a fallback while its usage window is exhausted",
    ],
  ] as const;
  const width = Math.max(...examples.map(([line]) => line.length));
  return `${chosen}${examples.map(([line, about]) => `  ${line.padEnd(width)}  # ${about}\n`).join("")}`;
}

/**
 * - `none`: there is no configuration yet.
 * - `unfinished`: `init` wrote it without a check that could not run, and nobody has changed it since.
 * - `kept`: written or changed by a person; `init` never overwrites it.
 */
export type ConfigState = "none" | "unfinished" | "kept";

export function getConfigState(places: RepositoryPlaces): ConfigState {
  const read = readThroughLinks(places.config);
  if (!read.ok) return read.gone ? "none" : "kept";
  return sha256(read.text) === readConfigText(getMarkFile(places)) ? "unfinished" : "kept";
}

type RenderedConfig = { readonly text: string; readonly lacks: boolean };

/**
 * Writes the configuration. `lacks` is true if a detected check was left out. Never overwrites a file that somebody
 * wrote or changed in the meantime.
 */
export async function writeConfig(places: RepositoryPlaces, { text, lacks }: RenderedConfig): Promise<void> {
  await makeFolder(places.own);
  const replaces = getConfigState(places) === "unfinished";
  await writeFile(places.config, text, { flag: replaces ? "w" : "wx" });
  if (lacks) await writeFile(getMarkFile(places), sha256(text));
  else await rm(getMarkFile(places), { force: true });
}

/** Returns true if the file still says that `init` could not run a check. */
export function hasUnfitMarker(places: RepositoryPlaces): boolean {
  return readConfigText(places.config)?.includes(UNFIT_MARKER) ?? false;
}

const getMarkFile = ({ own }: RepositoryPlaces): string => join(own, "unfinished-init");

function readConfigText(file: string): string | undefined {
  const read = readThroughLinks(file);
  return read.ok ? read.text : undefined;
}
