import { type Command, CommanderError } from "commander";
import { SignalboxError } from "../core/failure/errors.ts";
import { closeWhatWasGiven } from "./close-inherited.ts";
import { call, finish, program } from "./program.ts";
import { goneRepository } from "./project/repository.ts";
import { reportFailure } from "./report-error.ts";

import "./contents/all.ts";

/** Asked for or not, help is an answer. */
const HELP: ReadonlySet<string> = new Set(["commander.help", "commander.helpDisplayed", "commander.version"]);

closeWhatWasGiven(process.argv);
// A reader that has gone away (`| head -1`) has what it wanted: help and usage are written before any command's own call.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
program.hook("preAction", async (_program, command) => {
  // What this process starts works for the same team.
  const { postgres } = program.opts<{ postgres?: string }>();
  if (postgres !== undefined) process.env["SIGNALBOX_POSTGRES"] = postgres;
  // Help needs none of what it takes to know who calls.
  const { requireCaller } = await import("./trust/callers.ts");
  await requireCaller({ command: nameOf(command), flags: command.opts(), dir: call().dir });
});

try {
  const [asked, ...typed] = process.argv.slice(2);
  // What somebody is typing is no call: it is not parsed as one.
  if (asked === "__complete") await (await import("./complete/complete.ts")).complete(program, typed);
  else if (isBare()) await finish((await import("./commands/here.ts")).here(call()));
  else await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    if (HELP.has(error.code)) process.exitCode = 0;
    else process.exitCode = reportFailure(usage(error), process.argv.includes("--json"));
  } else {
    process.exitCode = reportFailure(goneRepository(error) ?? error, process.argv.includes("--json"));
  }
}

/** Without a command the program says where things stand. */
function isBare(): boolean {
  const { operands, unknown } = program.parseOptions(process.argv.slice(2));
  return operands.length + unknown.length === 0;
}

/** As it is typed, without the program. */
function nameOf(command: Command): string {
  const above = command.parent;
  return above === null || above === program ? command.name() : `${above.name()} ${command.name()}`;
}

function usage(error: CommanderError): SignalboxError {
  const [message = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const hint = rest.join(" ").replace(/^\((.*)\)$/, "$1");
  return new SignalboxError("USAGE", message, hint || "See `signalbox --help`, or --help after a command.");
}
