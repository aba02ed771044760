import type { DetectedSetup } from "./detected.ts";
import { fromOthers } from "./missing-program.ts";

/** A command that could not run, and what is known around it. */
export type Ailment = {
  readonly command: { readonly name: string; readonly run: string };
  /** Its own words, or those of the set-up that failed before it. */
  readonly words: string;
  /** The set-up that is configured. */
  readonly setup?: { readonly run: string } | undefined;
  readonly project: CuredProject;
};

export type CuredProject = {
  /** What the project's own files would have as set-up and as commands. */
  readonly setup?: DetectedSetup | undefined;
  readonly commands: readonly { readonly name: string; readonly run: string }[];
  /** The scripts of its package.json. */
  readonly scripts: readonly string[];
};

/** What a person does next, line by line; settings are lines of .signalbox/config.yaml. Never nothing. */
export function cureOf(ailment: Ailment): readonly string[] {
  for (const find of [brokenSetup, missingScript, missingModule, missingProgram, noTests]) {
    const lines = find(ailment);
    if (lines) return lines;
  }
  const { name, run } = ailment.command;
  return [
    `make \`${run}\` work on a clean checkout, or configure another line for ${name}:`,
    ...commands({ [name]: "…" }),
  ];
}

/** Of several commands: what cures two of them is said once. */
export function curesOf(ailments: readonly Ailment[]): readonly string[] {
  const cures = new Map(ailments.map((ailment) => [cureOf(ailment).join("\n"), cureOf(ailment)]));
  return [...cures.values()].flat();
}

type Cure = (ailment: Ailment) => readonly string[] | undefined;

const OFFLINE =
  /EAI_AGAIN|ENOTFOUND|ETIMEDOUT|NameResolutionError|Temporary failure in name resolution|i\/o timeout|no such host|proxyconnect|Could not resolve host/;

const UNKNOWN_AUTHORITY =
  /SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER|CERTIFICATE_VERIFY_FAILED|x509: certificate signed by unknown authority/;

const brokenSetup: Cure = ({ words, setup, project }) => {
  if (!setup || !/\bset-up failed\b/.test(words)) return undefined;
  if (OFFLINE.test(words))
    return [
      `\`${setup.run}\` needs the network, and could not reach it from here; once it can, nothing has to be configured`,
    ];
  if (UNKNOWN_AUTHORITY.test(words))
    return [
      "a set-up has an environment of its own, which does not know the certificates of your network; name them in its line:",
      ...commands({ setup: `export ${certificates(setup.run)} && ${setup.run}` }),
    ];
  const unfound = /No matching distribution found for ([^\s<>=!~;]+)/.exec(words)?.[1];
  if (unfound)
    return [
      `pip finds no ${unfound}: a set-up has a home of its own, where no settings of yours lie; name the index in its line:`,
      ...commands({ setup: `export PIP_INDEX_URL=<your index> && ${setup.run}` }),
    ];
  const program = programIn(words);
  if (program) return gotten(program, project);
  const own = project.setup?.run;
  if (own !== undefined && !setup.run.includes(own))
    return ["the project's own files suggest another set-up:", ...commands({ setup: own })];
  return [`make \`${setup.run}\` work on a clean checkout, or configure another line:`, ...commands({ setup: "…" })];
};

function certificates(run: string): string {
  if (/\bpip\b/.test(run)) return "PIP_CERT=/path/to/ca.pem";
  return /^go\b/.test(run) ? "SSL_CERT_FILE=/path/to/ca.pem" : "NODE_EXTRA_CA_CERTS=/path/to/ca.pem";
}

const missingScript: Cure = ({ command, words, project }) => {
  const named = /(?:Missing script:?|NO_SCRIPT\S*\s+Missing script:?|Couldn't find a script named) "?([^"\n.]+)"?/.exec(
    words,
  )?.[1];
  if (named === undefined && !/^error Command "[^"\n]*" not found/m.test(words)) return undefined;
  const known =
    project.scripts.length > 0
      ? `package.json has the scripts ${project.scripts.join(", ")}`
      : "package.json has no scripts";
  return [
    `${known}; name one of them, or remove ${command.name}:`,
    ...commands({ [command.name]: "npm run <script>" }),
  ];
};

const missingModule: Cure = ({ command, words, setup, project }) => {
  const module = /No module named '?([\w.]+)'?/.exec(words)?.[1];
  if (module === undefined) return undefined;
  const [top = module] = module.split(".");
  if (setup?.run.includes(".venv") && command.run.includes(".venv"))
    return [`the set-up does not install ${top}; add it:`, ...commands({ setup: `${setup.run} ${top}` })];
  const prepare = project.setup?.run.includes(".venv") ? project.setup.run : VENV;
  return [
    `${top} is not among what a clean checkout has; give it an environment of its own:`,
    ...commands({ setup: prepare, [command.name]: inVenv(command.run) }),
  ];
};

const VENV = "python3 -m venv .venv && .venv/bin/python -m pip install -e . pytest";

function inVenv(run: string): string {
  if (/^(?:\S*\/)?python[\d.]*\s/.test(run)) return run.replace(/^\S+/, ".venv/bin/python");
  return /^pytest\b/.test(run) ? `.venv/bin/python -m ${run}` : run;
}

const missingProgram: Cure = ({ words, setup, project }) => {
  const program = programIn(words);
  if (program === undefined) return undefined;
  // A package's own program: what is missing is the set-up that installs it.
  if (!fromOthers(program) && project.setup && project.setup.run !== setup?.run)
    return [
      `${program} is not installed in a clean checkout; a set-up installs it:`,
      ...commands({ setup: project.setup.run }),
    ];
  return gotten(program, project);
};

function gotten(program: string, project: CuredProject): readonly string[] {
  const get = fromOthers(program);
  if (!get)
    return [`${program} is not on the PATH; install it, or let the set-up do that:`, ...commands({ setup: "…" })];
  const others = Object.fromEntries(project.commands.map(({ name, run }) => [name, run]));
  // Detection knows a way that needs nothing of this machine but npm.
  const without =
    project.setup && !startsWith(project.setup.run, program) ? commands({ setup: project.setup.run, ...others }) : [];
  return [
    `${program} is not on the PATH; get it: ${get}`,
    ...(without.length > 0 ? ["or do without:", ...without] : []),
  ];
}

const startsWith = (line: string, program: string): boolean => line.trimStart().split(/\s/)[0] === program;

const noTests: Cure = ({ command, words }) =>
  /ran no test at all/.test(words)
    ? [
        `${command.name} (\`${command.run}\`) runs and finds no test; name the line that does, or remove it:`,
        ...commands({ [command.name]: "…" }),
      ]
    : undefined;

/** `sh: 1: xo: not found`, `make: golangci-lint: No such file or directory`, `env: 'deno': No such file`. */
function programIn(words: string): string | undefined {
  const found =
    /(?:^|\s)(?:\/bin\/)?(?:ba|da|z)?sh: (?:line )?(?:\d+: )?([^\s:]+): (?:command )?not found/m.exec(words) ??
    /make(?:\[\d+\])?: ([^\s:]+): No such file or directory/.exec(words) ??
    /env: [‘']?([^\s’':]+)[’']?: No such file/.exec(words) ??
    /spawn ([^\s]+) ENOENT/.exec(words);
  return found?.[1];
}

/** As they stand in the configuration. */
function commands(lines: Readonly<Record<string, string>>): readonly string[] {
  return ["commands:", ...Object.entries(lines).map(([name, run]) => `  ${name}: ${plain(run)}`)];
}

/** A line that YAML would read as something else is quoted. */
function plain(run: string): string {
  return /^[\w./$][^#"'\n]*$/.test(run) && !/: |:$/.test(run) ? run : JSON.stringify(run);
}
