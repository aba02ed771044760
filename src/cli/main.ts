import { readFileSync } from "node:fs";
import { Command, CommanderError, Option } from "commander";
import { SignalboxError } from "../core/errors.ts";
import { callOf } from "./call.ts";
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

const trust = () => new Option("--trust", "let the repository's own configuration and pipelines run, this once");
const agents = () => new Option("--agents <file>", "play all roles by this script (YAML)");
const agent = () =>
  new Option("--agent <role=driver[:model]>", "who plays a role; * is every role")
    .argParser(several)
    .default([], "none");

program.commandsGroup("Start");

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
    new Option("--min-confidence <c>", "below it a finished run leaves with 7")
      .choices(["low", "medium", "high"])
      .default("medium"),
  )
  .option("--max-time <t>", "suspend after this much work, e.g. 90s, 20m, 2h")
  .option("--max-dispatches <n>", "suspend after this many dispatches")
  .option("--budget <usd>", "suspend when this much is spent")
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
  .addOption(trust())
  .action(async (run, flags) => finish((await import("./commands/resume.ts")).resume(call(), run, flags)));

program
  .command("cancel [run]")
  .description("end a run for good")
  .option("--note <text>", "why")
  .action(async (run, flags) => finish((await import("./commands/cancel.ts")).cancel(call(), run, flags)));

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

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    if (HELP.has(error.code)) process.exitCode = 0;
    else process.exitCode = reportFailure(usage(error), process.argv.includes("--json"));
  } else {
    process.exitCode = reportFailure(error, process.argv.includes("--json"));
  }
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
