// Writes the man pages from the same command definitions as --help: one page for the program and one for each group.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ENVIRONMENT_VARIABLES, EXIT_CODES, FILES } from "../src/cli/contents/reference.ts";
import { program } from "../src/cli/program.ts";
import "../src/cli/contents/all.ts";

const NAME = "signalbox";
const help = program.createHelp();
const commands = help.visibleCommands(program).filter((command) => command.name() !== "help");
const groups = Map.groupBy(commands, (command) => command.helpGroup() ?? "");

/** Escapes a line so that roff prints it as text. */
const text = (words) =>
  words
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/, "\\&");
const entry = (head, ...lines) => [".TP", `\\fB${text(head)}\\fR`, ...lines.map(text)];

const exits = () => EXIT_CODES.flatMap(([exit, meaning]) => entry(exit, meaning.replaceAll("`", "")));

const options = (command) => {
  const shown = help.visibleOptions(command);
  return shown.flatMap((option) => entry(help.optionTerm(option), help.optionDescription(option)));
};

function commandSection(command, way) {
  const below = help.visibleCommands(command).filter((each) => each.name() !== "help");
  if (below.length > 0) return below.flatMap((each) => commandSection(each, `${way} ${command.name()}`));
  const terms = command.registeredArguments.map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`));
  const synopsis = [way, command.name(), ...terms].join(" ");
  return [`.SS "${text(synopsis)}"`, text(help.commandDescription(command)), ...options(command)];
}

function page(title, about, sections) {
  const head = `.TH "${title.toUpperCase()}" 1 "" "${NAME} ${program.version()}" "User Commands"`;
  const body = sections.flatMap(([heading, lines]) => [`.SH ${heading}`, ...lines]);
  return `${[head, ".SH NAME", `${text(title)} \\- ${text(about)}`, ...body].join("\n")}\n`;
}

const seeAlso = (but) =>
  text(
    [NAME, ...[...groups.keys()].map(pageName)]
      .filter((name) => name !== but)
      .map((name) => `${name}(1)`)
      .join(", "),
  );

const pageName = (group) => `${NAME}-${group.toLowerCase()}`;

function overview() {
  const listed = [...groups].flatMap(([group, members]) => [
    `.SS "${group}"`,
    ...members.flatMap((command) => entry(help.subcommandTerm(command), help.subcommandDescription(command))),
  ]);
  return page(NAME, program.description(), [
    ["SYNOPSIS", [`\\fB${NAME}\\fR [\\-C dir] [\\-\\-json] <command>`]],
    ["DESCRIPTION", [text("Run it in a git repository. Without a command it prints an overview of the repository.")]],
    ["OPTIONS", options(program)],
    ["COMMANDS", listed],
    ["EXIT STATUS", exits()],
    ["ENVIRONMENT", ENVIRONMENT_VARIABLES.flatMap(([head, line]) => entry(head, line))],
    ["FILES", FILES.flatMap(([head, line]) => entry(head, line))],
    ["SEE ALSO", [seeAlso(NAME)]],
  ]);
}

function groupPage(group, members) {
  const names = members.map((command) => command.name()).join(", ");
  return page(pageName(group), `${group.toLowerCase()}: ${names}`, [
    ["SYNOPSIS", [`\\fB${NAME}\\fR [\\-C dir] [\\-\\-json] <command> [options]`]],
    ["COMMANDS", members.flatMap((command) => commandSection(command, NAME))],
    ["EXIT STATUS", exits()],
    ["SEE ALSO", [seeAlso(pageName(group))]],
  ]);
}

const folder = process.argv[2] ?? fileURLToPath(new URL("../dist/man", import.meta.url));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, `${NAME}.1`), overview());
for (const [group, members] of groups) writeFileSync(join(folder, `${pageName(group)}.1`), groupPage(group, members));
console.log(`${groups.size + 1} man pages in ${folder}`);
