import { call, examples, finish, program } from "../program.ts";

// See where runs stand.

program.commandsGroup("Watch");

program
  .command("ps")
  .description("the runs of this repository")
  .action(async () => finish((await import("../commands/ps.ts")).ps(call())));

// For itself alone: an engine starts it, and whoever looks at runs that one has left.
program
  .command("__notices", { hidden: true })
  .action(async () => finish((await import("../commands/notices.ts")).notices(call())));

program
  .command("status [run]")
  .description("where a run stands, why, and what to do next")
  .action(async (run) => finish((await import("../commands/status.ts")).status(call(), run)));

program
  .command("events [run]")
  .description("what happened, record by record")
  .option("-f, --follow", "go on until the run ends")
  .option("--after <seq>", "only what came after this event")
  .action(async (run, flags) => finish((await import("../commands/events.ts")).events(call(), run, flags)));

program
  .command("why [run]")
  .description("the because of where a run stands: its last decision, failures, evidence beside claims")
  .addHelpText("after", examples("signalbox why", "signalbox why 20261115 --json"))
  .action(async (run) => finish((await import("../commands/why.ts")).why(call(), run)));

program
  .command("logs [run]")
  .description("what the agents printed, attempt by attempt; or one check, as a question names it")
  .option("--step <prefix>", "only steps whose key begins with this")
  .option("--output <folder>", "what one check printed, by the folder that a question names")
  .option("--prompt [prefix]", "what the agents of these steps were sent, whole; without a step the newest")
  .option("--checks", "what the project's commands printed instead, check by check")
  .option("--raw", "the agents' protocol as it was printed, not as text")
  .option("--lines <n|all>", "how many lines of each attempt (20)")
  .option("-f, --follow", "go on until the run ends or suspends")
  .addHelpText(
    "after",
    examples(
      "signalbox logs",
      "signalbox logs --step '5 Implement' --lines 100",
      "signalbox logs --prompt '5 Implement'",
      "signalbox logs -f",
    ),
  )
  .action(async (run, flags) => finish((await import("../commands/logs.ts")).logs(call(), run, flags)));

program
  .command("ui")
  .description("the dashboard: all runs of yours in a browser, served on this machine alone")
  .option("--port <n>", "where to listen (4317, or the next that is free)")
  .option("--no-open", "print the link and open no browser")
  .addHelpText("after", examples("signalbox ui", "signalbox ui --port 0 --no-open"))
  .action(async (flags) => finish((await import("../commands/ui.ts")).ui(call(), flags)));
