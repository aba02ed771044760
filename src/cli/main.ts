import { type Command, CommanderError } from "commander";
import { SignalboxError } from "../core/failure/errors.ts";
import { closeInheritedDescriptors } from "./close-inherited.ts";
import { createCurrentCall, program, setExitCode } from "./program.ts";
import { explainMissingRepository } from "./project/repository.ts";
import { reportFailure } from "./report-failure.ts";

import "./contents/all.ts";

/** Help and version end with exit code 0, also when commander reports them as errors. */
const HELP: ReadonlySet<string> = new Set(["commander.help", "commander.helpDisplayed", "commander.version"]);

closeInheritedDescriptors(process.argv);
// Help and usage are written before a command opens its own call, and a closed reader (`| head -1`) must not fail them.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
program.hook("preAction", async (_program, command) => {
  // Processes that this one starts use the same team.
  const { postgres } = program.opts<{ postgres?: string }>();
  if (postgres !== undefined) process.env["SIGNALBOX_POSTGRES"] = postgres;
  // Loaded here because help needs no caller check.
  const { requireCaller } = await import("./trust/callers.ts");
  await requireCaller({ command: formatCommandName(command), flags: command.opts(), dir: createCurrentCall().dir });
});

try {
  const [first, ...typed] = process.argv.slice(2);
  // Shell completion: the line is incomplete, so it is not parsed as a command.
  if (first === "__complete") await (await import("./complete/complete.ts")).printCompletions(program, typed);
  else if (hasNoCommand())
    await setExitCode((await import("./commands/overview.ts")).showOverview(createCurrentCall()));
  else await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    if (HELP.has(error.code)) process.exitCode = 0;
    else process.exitCode = reportFailure(toUsageError(error), process.argv.includes("--json"));
  } else {
    process.exitCode = reportFailure(explainMissingRepository(error) ?? error, process.argv.includes("--json"));
  }
}

/** True if no command was typed; the program then shows the overview. */
function hasNoCommand(): boolean {
  const { operands, unknown } = program.parseOptions(process.argv.slice(2));
  return operands.length + unknown.length === 0;
}

/** Command name as typed, without the program's name. */
function formatCommandName(command: Command): string {
  const above = command.parent;
  return above === null || above === program ? command.name() : `${above.name()} ${command.name()}`;
}

function toUsageError(error: CommanderError): SignalboxError {
  const [message = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const hint = rest.join(" ").replace(/^\((.*)\)$/, "$1");
  return new SignalboxError("USAGE", message, hint || "See `signalbox --help`, or --help after a command.");
}
