import { type DetectedSetup, formatCommandLine } from "../detect/detected.ts";
import { formatConfigCommands } from "../tamper/config-lines.ts";
import { proposeBrowserFix } from "./cure-browser.ts";
import { proposeModuleFix } from "./cure-module.ts";
import { type PackageSettings, proposeNetworkFix } from "./cure-network.ts";
import type { InstallMachine } from "./install-ways.ts";
import { formatMissingProgram, isSystemProgram } from "./missing-program.ts";

/** Command that could not run. */
export type UnusableCommand = {
  readonly command: { readonly name: string; readonly run: string };
  /** Output of the command, or of the set-up that failed before it. */
  readonly words: string;
  /** Configured set-up. */
  readonly setup?: { readonly run: string } | undefined;
};

/** Command that could not run, with the known facts about its project and machine. */
export type FailedCommandFacts = UnusableCommand & {
  readonly project: FixableProject;
  /** Machine on which it could not run. */
  readonly machine: InstallMachine;
  /** Names of the variables that the configuration gives to the set-up. */
  readonly given?: readonly string[] | undefined;
  /** Set if the settings were read. */
  readonly settings?: PackageSettings | undefined;
};

export type FixableProject = {
  /** Set-up and commands that are detected from the project's files. */
  readonly setup?: DetectedSetup | undefined;
  readonly commands: readonly { readonly name: string; readonly run: string; readonly cwd?: string }[];
  /** Scripts of its package.json. */
  readonly scripts: readonly string[];
  /** Python modules that are located in the tree itself. */
  readonly modules?: readonly string[];
};

/**
 * Lists the next steps for a person, one per line. Settings are lines of .signalbox/config.yaml as they have to be
 * written. Unknown values are described in words. Never empty.
 */
export function proposeFix(ailment: FailedCommandFacts): readonly string[] {
  for (const find of [
    fixBrokenSetup,
    fixMissingScript,
    proposeBrowserFix,
    proposeModuleFix,
    fixMissingProgram,
    fixMissingTests,
  ]) {
    const lines = find(ailment);
    if (lines) return lines;
  }
  const { name, run } = ailment.command;
  return [`make \`${run}\` work on a clean checkout, or configure another line for ${name}`];
}

/** Lists one fix per command, with its name. A fix that applies to two commands is printed once, with both names. */
export function proposeFixes(ailments: readonly FailedCommandFacts[]): readonly string[] {
  const cures = [...Map.groupBy(ailments, (ailment) => proposeFix(ailment).join("\n"))];
  if (cures.length < 2) return cures.flatMap(([cure]) => cure.split("\n"));
  return cures.flatMap(([cure, cured]) => {
    const [first = "", ...more] = cure.split("\n");
    return [`${cured.map(({ command }) => command.name).join(", ")}: ${first}`, ...more.map((line) => `  ${line}`)];
  });
}

type FixProposer = (ailment: FailedCommandFacts) => readonly string[] | undefined;

const fixBrokenSetup: FixProposer = (ailment) => {
  const { words, setup, project } = ailment;
  if (!setup || !/\bset-up failed\b/.test(words)) return undefined;
  const reached = proposeNetworkFix(ailment);
  if (reached) return reached;
  const program = parseMissingProgram(words);
  if (program) return proposeInstall(program, ailment);
  const own = project.setup?.run;
  if (own !== undefined && !setup.run.includes(own))
    return ["the project's own files suggest another set-up:", ...formatConfigCommands({ setup: own })];
  return [`make \`${setup.run}\` work on a clean checkout, or configure another line for setup`];
};

const fixMissingScript: FixProposer = ({ command, words, project }) => {
  const named = /(?:Missing script:?|NO_SCRIPT\S*\s+Missing script:?|Couldn't find a script named) "?([^"\n.]+)"?/.exec(
    words,
  )?.[1];
  if (named === undefined && !/^error Command "[^"\n]*" not found/m.test(words)) return undefined;
  const { scripts } = project;
  if (scripts.length === 0) return [`package.json has no scripts; remove ${command.name}, or configure another line`];
  const known = `package.json has the scripts ${scripts.join(", ")}`;
  const [alike, ...more] = scripts.filter((script) => script.split(/[:._-]/).includes(command.name));
  if (alike === undefined || more.length > 0)
    return [`${known}; configure the one that is meant by ${command.name}, or remove ${command.name}`];
  return [`${known}; one of them may be meant:`, ...formatConfigCommands({ [command.name]: `npm run ${alike}` })];
};

const fixMissingProgram: FixProposer = (ailment) => {
  const { words, setup, project } = ailment;
  const program = parseMissingProgram(words);
  if (program === undefined) return undefined;
  // The program belongs to a package, so the set-up that installs it is missing.
  if (!isSystemProgram(program) && project.setup && project.setup.run !== setup?.run)
    return [
      `${program} is not installed in a clean checkout; a set-up installs it:`,
      ...formatConfigCommands({ setup: project.setup.run }),
    ];
  return proposeInstall(program, ailment);
};

function proposeInstall(program: string, { project, machine }: FailedCommandFacts): readonly string[] {
  const others = Object.fromEntries(project.commands.map((command) => [command.name, formatCommandLine(command)]));

  // Detection knows an alternative that needs only npm or Python.
  const without =
    isSystemProgram(program) && project.setup && !startsWith(project.setup.run, program)
      ? formatConfigCommands({ setup: project.setup.run, ...others })
      : [];
  return [formatMissingProgram(program, machine), ...(without.length > 0 ? ["or do without:", ...without] : [])];
}

const startsWith = (line: string, program: string): boolean => line.trimStart().split(/\s/)[0] === program;

const fixMissingTests: FixProposer = ({ command, words }) =>
  /ran no test at all/.test(words)
    ? [`${command.name} (\`${command.run}\`) found no test; configure a line that runs tests, or remove it`]
    : undefined;

/** Matches `sh: 1: xo: not found`, `make: golangci-lint: No such file or directory`, `env: 'deno': No such file`. */
function parseMissingProgram(words: string): string | undefined {
  const found =
    /(?:^|\s)(?:\/bin\/)?(?:ba|da|z)?sh: (?:line )?(?:\d+: )?([^\s:]+): (?:command )?not found/m.exec(words) ??
    /make(?:\[\d+\])?: ([^\s:]+): No such file or directory/.exec(words) ??
    /env: [‘']?([^\s’':]+)[’']?: No such file/.exec(words) ??
    /spawn ([^\s]+) ENOENT/.exec(words);
  return found?.[1];
}
