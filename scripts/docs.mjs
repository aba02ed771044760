// Writes the reference pages that are generated from the source: docs/reference/cli.md and docs/reference/errors.md.
//
//   node scripts/docs.mjs           write the pages
//   node scripts/docs.mjs --check   write nothing; fail if a page is not current
import { readFileSync, writeFileSync } from "node:fs";
import { ENVIRONMENT_VARIABLES, EXIT_CODES, FILES } from "../src/cli/contents/reference.ts";
import { program } from "../src/cli/program.ts";
import { ERROR_HELP } from "../src/core/failure/error-help.ts";
import { ERRORS } from "../src/core/failure/errors.ts";
import "../src/cli/contents/all.ts";

const NOTICE = "<!-- Written by `npm run docs` from the source. Do not edit. -->";
const help = program.createHelp();

const PAGES = { "docs/reference/cli.md": renderCommands(), "docs/reference/errors.md": renderErrors() };

let stale = 0;
for (const [path, page] of Object.entries(PAGES)) {
  const file = new URL(`../${path}`, import.meta.url);
  if (readFileSync(file, { encoding: "utf8", flag: "a+" }) === page) continue;
  if (process.argv.includes("--check")) {
    console.log(`✗ ${path} is not current: run \`npm run docs\` and commit it`);
    stale += 1;
  } else writeFileSync(file, page);
}
process.exitCode = stale === 0 ? 0 : 1;

function renderCommands() {
  const commands = listVisible(program);
  const groups = Map.groupBy(commands, (command) => command.helpGroup() ?? "");
  const sections = [...groups].map(([group, members]) =>
    [`## ${group}`, ...members.flatMap((command) => renderCommand(command, "signalbox", 3))].join("\n\n"),
  );
  return join([
    "# Command line",
    NOTICE,
    "Run `signalbox <command>` in a git repository. Without a command it prints the state of the repository and what to do next.",
    "Every command prints this text with `--help`. An installed package also has man pages: `man signalbox`.",
    "## Options for every command",
    renderTable(["option", "description"], listOptions(program)),
    "A run id may be shortened as long as it is unique. Without an id, a command uses the newest run of the repository.",
    ...sections,
    "## Exit codes",
    renderTable(["exit", "meaning", "`resume` continues it"], EXIT_CODES),
    "## Environment variables",
    renderTable(["name", "meaning"], ENVIRONMENT_VARIABLES),
    "## Files",
    renderTable(["path", "meaning"], FILES),
  ]);
}

function renderCommand(command, parent, level) {
  const name = `${parent} ${command.name()}`;
  const nested = listVisible(command);
  if (nested.length > 0) {
    const head = [`${"#".repeat(level)} ${name}`, `${toSentence(help.commandDescription(command))}`];
    return [...head, ...nested.flatMap((each) => renderCommand(each, name, level + 1))];
  }
  const args = command.registeredArguments.map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`));
  const options = listOptions(command);
  return [
    `${"#".repeat(level)} ${name}`,
    toSentence(help.commandDescription(command)),
    `\`\`\`sh\n${[name, ...args].join(" ")}${options.length > 0 ? " [options]" : ""}\n\`\`\``,
    ...(options.length > 0 ? [renderTable(["option", "description"], options)] : []),
    ...readExamples(command),
  ];
}

/** The example lines that `--help` prints below the options. */
function readExamples(command) {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  const lines = text.split("\nExamples:\n")[1]?.trimEnd();
  return lines === undefined ? [] : [`\`\`\`sh\n${lines.replaceAll(/^ {2}/gm, "")}\n\`\`\``];
}

function renderErrors() {
  const exits = Map.groupBy(Object.entries(ERRORS), ([, exit]) => exit);
  const sections = [...exits].map(([exit, codes]) =>
    [`# Exit ${exit}`, ...codes.map(([code]) => renderError(code))].join("\n\n"),
  );
  return join([
    "# Errors",
    NOTICE,
    "Find the code that Signalbox printed and follow the fix. With `--json` the last line is",
    '`{"v":1,"type":"error","code","message","hint"}`.',
    "Codes with exit 1 occur inside a run: it is suspended, nothing recorded is lost, and `signalbox resume` continues it after the fix.",
    "Failures of agents are data in the journal, not errors: see [failure codes of a dispatch](contracts.md#failure-codes-of-a-dispatch).",
    ...sections,
  ]);
}

function renderError(code) {
  const { means, fix } = ERROR_HELP[code];
  return [`## ${code}`, `Exit ${ERRORS[code]}. ${means}`, `Fix: ${fix}`].join("\n\n");
}

function renderTable(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function listOptions(command) {
  const options = help.visibleOptions(command).filter((option) => option.long !== "--help");
  return options.map((option) => [`\`${help.optionTerm(option)}\``, help.optionDescription(option)]);
}

function toSentence(text) {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
}

function listVisible(command) {
  return help.visibleCommands(command).filter((each) => each.name() !== "help");
}

function join(blocks) {
  return `${blocks.join("\n\n")}\n`;
}
