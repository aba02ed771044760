import { readFileSync } from "node:fs";
import { Argument, Command, CommanderError, Option } from "commander";
import { SignalboxError } from "../core/errors.ts";
import { callOf } from "./call.ts";
import type { CommandTree } from "./commands/completion.ts";
import { reportFailure } from "./failing.ts";

// The table of contents: what there is, in the order in which it is used. Each command's file is loaded when it runs.

const program = new Command("signalbox")
  .description(
    "Runs teams of coding agents through engineering pipelines, with a program in charge instead of a prompt.",
  )
  .version(version(), "-V, --version")
  .option("-C <dir>", "work in this directory, as in git")
  .option("--json", "answer in JSON: one document, or one event per line")
  .exitOverride()
  .configureOutput({ outputError: () => {} });

const call = () => {
  const { C: dir, json } = program.opts<{ C?: string; json?: boolean }>();
  return callOf({ ...(dir === undefined ? {} : { dir }), ...(json === undefined ? {} : { json }) });
};
const finish = async (exit: Promise<number>): Promise<void> => {
  process.exitCode = await exit;
};
/** Asked for or not, help is an answer. */
const HELP: ReadonlySet<string> = new Set(["commander.help", "commander.helpDisplayed", "commander.version"]);
const several = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const examples = (...lines: readonly string[]): string => `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;

const trust = () => new Option("--trust", "let the repository's own configuration and pipelines run, this once");
const sandbox = () =>
  new Option("--sandbox <mode>", "what holds agents and checks").choices(["auto", "required", "off"]);
const agents = () => new Option("--agents <file>", "play all roles by this script (YAML)");
const agent = () =>
  new Option("--agent <role=driver[:model]>", "who plays a role; * is every role")
    .argParser(several)
    .default([], "none");

program.commandsGroup("Start");

program
  .command("init")
  .description("set this repository up: what was found, who plays, and your yes")
  .option("-y, --yes", "take what it proposes, and trust what the repository brings")
  .action(async (flags) => finish((await import("./commands/init.ts")).init(call(), flags)));

program
  .command("doctor")
  .description("what a run needs, what is missing, and the line that gets it")
  .action(async () => finish((await import("./commands/doctor.ts")).doctor(call())));

program
  .command("demo")
  .description("the whole story on scripted agents: no keys, no tokens, about a minute")
  .option("--keep", "leave the repository of the demo where it is")
  .action(async (flags) => finish((await import("./commands/demo.ts")).demo(call(), flags)));

program
  .command("run <pipeline> [request]")
  .description("start a pipeline on this repository")
  .addOption(
    new Option("--input <name=value|@file>", "what the pipeline is given").argParser(several).default([], "none"),
  )
  .addOption(agents())
  .addOption(agent())
  .addOption(new Option("--approvals <mode>", "who decides").choices(["interactive", "autonomous"]))
  .addOption(
    new Option("--min-confidence <c>", "below it a finished run leaves with 7 (medium)").choices([
      "low",
      "medium",
      "high",
    ]),
  )
  .option("--max-time <t>", "suspend after this much work, e.g. 90s, 20m, 2h")
  .option("--max-dispatches <n>", "suspend after this many dispatches")
  .option("--budget <usd>", "suspend when this much is spent")
  .addOption(sandbox())
  .option("--from <run:phase>", "reuse what an earlier run had recorded before this phase")
  .option("--detach", "return at once; the run goes on by itself")
  .option("--dry-run", "say what would run, and dispatch nothing")
  .addOption(trust())
  .action(async (pipeline, request, flags) =>
    finish((await import("./commands/run.ts")).run(call(), { pipeline, request, flags })),
  );

program.commandsGroup("Watch");

program
  .command("ps")
  .description("the runs of this repository")
  .action(async () => finish((await import("./commands/ps.ts")).ps(call())));

program
  .command("status [run]")
  .description("where a run stands, why, and what to do next")
  .action(async (run) => finish((await import("./commands/status.ts")).status(call(), run)));

program
  .command("events [run]")
  .description("what happened, record by record")
  .option("-f, --follow", "go on until the run ends")
  .option("--after <seq>", "only what came after this event")
  .action(async (run, flags) => finish((await import("./commands/events.ts")).events(call(), run, flags)));

program
  .command("why [run]")
  .description("the because of where a run stands: its last decision, failures, evidence beside claims")
  .addHelpText("after", examples("signalbox why", "signalbox why 20261115 --json"))
  .action(async (run) => finish((await import("./commands/why.ts")).why(call(), run)));

program
  .command("logs [run]")
  .description("what the agents printed, attempt by attempt")
  .option("--step <prefix>", "only steps whose key begins with this")
  .option("--lines <n|all>", "how many lines of each attempt (20)")
  .option("-f, --follow", "go on until the run ends or suspends")
  .addHelpText(
    "after",
    examples("signalbox logs", "signalbox logs --step '5 Implement' --lines 100", "signalbox logs -f"),
  )
  .action(async (run, flags) => finish((await import("./commands/logs.ts")).logs(call(), run, flags)));

program.commandsGroup("Decide");

program
  .command("inbox")
  .description("the questions that wait for a person")
  .action(async () => finish((await import("./commands/inbox.ts")).inbox(call())));

program
  .command("approve <id>")
  .description("answer a question; without --choose by its first choice")
  .option("--choose <choice>", "the choice")
  .option("--note <text>", "a note for whoever goes on")
  .action(async (id, flags) => finish((await import("./commands/decide.ts")).approve(call(), id, flags)));

program
  .command("reject <id>")
  .description("answer a question by the choice that stops")
  .option("--note <text>", "why")
  .action(async (id, flags) => finish((await import("./commands/decide.ts")).reject(call(), id, flags)));

program.commandsGroup("Control");

program
  .command("resume [run]")
  .description("go on where a run stopped; nothing recorded is repeated")
  .addOption(agents())
  .addOption(agent())
  .option("--max-time <t>", "a higher limit of time")
  .option("--max-dispatches <n>", "a higher limit of dispatches")
  .option("--budget <usd>", "a higher limit of money")
  .option("--note <text>", "a note for the journal")
  .addOption(sandbox())
  .addOption(trust())
  .action(async (run, flags) => finish((await import("./commands/resume.ts")).resume(call(), run, flags)));

program
  .command("cancel [run]")
  .description("end a run for good")
  .option("--note <text>", "why")
  .action(async (run, flags) => finish((await import("./commands/cancel.ts")).cancel(call(), run, flags)));

program
  .command("land <run>")
  .description("take a run's work onto the branch that is checked out")
  .action(async (run) => finish((await import("./commands/land.ts")).land(call(), run)));

program
  .command("revert <run>")
  .description("take a run's work back from the branch that is checked out")
  .action(async (run) => finish((await import("./commands/revert.ts")).revert(call(), run)));

program
  .command("gc")
  .description("what runs keep on disk; removes what a branch holds as well")
  .option("--dry-run", "only show")
  .option("-y, --yes", "remove without asking")
  .action(async (flags) => finish((await import("./commands/gc.ts")).gc(call(), flags)));

program.commandsGroup("Inspect");

const check = () => new Option("--check", "leave with 1 when the judgement is bad");

program
  .command("gate <name>")
  .description("ask a gate or one of its rules again, with the rows it looks at")
  .option("--run <run>", "of this run (the newest)")
  .option("--sql", "print the text of the rules instead")
  .addOption(check())
  .addOption(trust())
  .addHelpText(
    "after",
    examples("signalbox gate EG-6", "signalbox gate 'design review' --check", "signalbox gate EG-2 --sql"),
  )
  .action(async (name, flags) => finish((await import("./commands/gate.ts")).gate(call(), name, flags)));

program
  .command("sql <query>")
  .description("ask the ledger: one SELECT, read only, two seconds")
  .addHelpText("after", examples("signalbox sql 'SELECT * FROM anvil_checks LIMIT 5'"))
  .action(async (query) => finish((await import("./commands/sql.ts")).sql(call(), query)));

program
  .command("evidence [run]")
  .description("what the engine saw, beside what the agents claim")
  .option("--verify", "compare journal, ledger and anchors, record by record")
  .addOption(check())
  .addHelpText("after", examples("signalbox evidence", "signalbox evidence --verify --check"))
  .action(async (run, flags) => finish((await import("./commands/evidence.ts")).evidence(call(), run, flags)));

program
  .command("audit <file>")
  .description("replay the ledger gates over somebody else's ledger")
  .addOption(check())
  .addHelpText("after", examples("signalbox audit ../other/ledger.db", "signalbox audit ledger.db --check --json"))
  .action(async (file, flags) => finish((await import("./commands/audit.ts")).audit(call(), file, flags)));

program
  .command("diff [run]")
  .description("what a run changed, against where it started")
  .addHelpText("after", examples("signalbox diff", "signalbox diff 20261115 | git apply --check"))
  .action(async (run) => finish((await import("./commands/diff.ts")).diff(call(), run)));

program
  .command("report [run]")
  .description("a run as a document")
  .option("--reporter <name>", "md or json (md)")
  .addHelpText("after", examples("signalbox report > report.md", "signalbox report --reporter json"))
  .action(async (run, flags) => finish((await import("./commands/report.ts")).report(call(), run, flags)));

program.commandsGroup("Author");

const pipelines = program.command("pipelines").description("look at pipelines: list, show, graph, check");

pipelines
  .command("list")
  .description("what there is to run")
  .addOption(trust())
  .action(async (flags) => finish((await import("./commands/pipelines.ts")).list(call(), flags)));

pipelines
  .command("show <name>")
  .description("its phases, roles, limits and input")
  .addOption(trust())
  .action(async (name, flags) => finish((await import("./commands/pipelines.ts")).show(call(), name, flags)));

pipelines
  .command("graph <name>")
  .description("its phases as a Mermaid flowchart")
  .addOption(trust())
  .action(async (name, flags) => finish((await import("./commands/pipelines.ts")).graph(call(), name, flags)));

pipelines
  .command("check [name]")
  .description("replay every finished run with today's code")
  .addOption(trust())
  .action(async (name, flags) => finish((await import("./commands/pipelines.ts")).check(call(), name, flags)));

const roles = program.command("agents").description("who plays the roles: list, check");

roles
  .command("list [pipeline]")
  .description("each role's agent, prompt and model, and where they come from")
  .addOption(agents())
  .addOption(agent())
  .addOption(trust())
  .action(async (pipeline, flags) => finish((await import("./commands/agents.ts")).list(call(), pipeline, flags)));

roles
  .command("check [pipeline]")
  .description("whether every role can be played; 4 when one cannot")
  .addOption(agents())
  .addOption(agent())
  .addOption(trust())
  .action(async (pipeline, flags) => finish((await import("./commands/agents.ts")).check(call(), pipeline, flags)));

const config = program.command("config").description("the settings that count: get, explain");

config
  .command("get [key]")
  .description("the value of a setting, or of all")
  .action(async (key) => finish((await import("./commands/config.ts")).get(call(), key)));

config
  .command("explain [key]")
  .description("where each value was said, and what it hides")
  .action(async (key) => finish((await import("./commands/config.ts")).explain(call(), key)));

program
  .command("completion")
  .description("a script that completes commands in your shell")
  .addArgument(new Argument("<shell>", "which one").choices(["bash", "zsh", "fish"]))
  .action(async (shell) =>
    finish((await import("./commands/completion.ts")).completion(call(), shell, treeOf(program))),
  );

try {
  const { operands, unknown } = program.parseOptions(process.argv.slice(2));
  // Without a command the program says where things stand.
  if (operands.length + unknown.length === 0) await finish((await import("./commands/here.ts")).here(call()));
  else await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    if (HELP.has(error.code)) process.exitCode = 0;
    else process.exitCode = reportFailure(usage(error), process.argv.includes("--json"));
  } else {
    process.exitCode = reportFailure(error, process.argv.includes("--json"));
  }
}

function treeOf(command: Command): CommandTree {
  return {
    name: command.name(),
    about: command.description(),
    options: command.options.flatMap(({ long, description }) => (long ? [{ flag: long, about: description }] : [])),
    commands: command.commands.map(treeOf),
  };
}

function usage(error: CommanderError): SignalboxError {
  const [message = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const hint = rest.join(" ").replace(/^\((.*)\)$/, "$1");
  return new SignalboxError("USAGE", message, hint || "See `signalbox --help`, or --help after a command.");
}

function version(): string {
  const file = new URL("../../package.json", import.meta.url);
  // Our own file.
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
