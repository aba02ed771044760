import { createCurrentCall, formatExamples, program, setExitCode } from "../program.ts";

// See the state of runs.

program.commandsGroup("Watch");

program
  .command("ps")
  .description("list the runs of this repository")
  .action(async () => setExitCode((await import("../commands/ps.ts")).listRuns(createCurrentCall())));

program
  .command("status [run]")
  .description("show a run's state, the reason and the next command")
  .action(async (run) => setExitCode((await import("../commands/status.ts")).showStatus(createCurrentCall(), run)));

program
  .command("why [run]")
  .description("explain a run's state: decision, failures, evidence")
  .addHelpText("after", formatExamples("signalbox why", "signalbox why 20261115 --json"))
  .action(async (run) => setExitCode((await import("../commands/why.ts")).explainRun(createCurrentCall(), run)));

program
  .command("events [run]")
  .description("print a run's journal, event by event")
  .option("-f, --follow", "keep printing until the run ends")
  .option("--after <seq>", "only events after this sequence number")
  .action(async (run, flags) =>
    setExitCode((await import("../commands/events.ts")).printEvents(createCurrentCall(), run, flags)),
  );

program
  .command("logs [run]")
  .description("print the output of agents or checks")
  .option("--step <prefix>", "only steps whose key starts with this")
  .option("--output <folder>", "output of one check; a question shows its folder")
  .option("--prompt [prefix]", "full prompts of these steps (default: the newest prompt)")
  .option("--checks", "output of the project's checks instead")
  .option("--raw", "the agents' protocol, not converted to text")
  .option("--lines <n|all>", "lines per attempt (default: 20)")
  .option("-f, --follow", "keep printing until the run ends or is suspended")
  .addHelpText(
    "after",
    formatExamples(
      "signalbox logs",
      "signalbox logs --step '5 Implement' --lines 100",
      "signalbox logs --prompt '5 Implement'",
      "signalbox logs -f",
    ),
  )
  .action(async (run, flags) =>
    setExitCode((await import("../commands/logs.ts")).printLogs(createCurrentCall(), run, flags)),
  );

program
  .command("ui")
  .description("open the dashboard of all your runs in a browser")
  .option("--port <n>", "port on 127.0.0.1 (default: 4317, or the next free one)")
  .option("--no-open", "print the link without opening a browser")
  .addHelpText("after", formatExamples("signalbox ui", "signalbox ui --port 0 --no-open"))
  .action(async (flags) => setExitCode((await import("../commands/ui.ts")).openDashboard(createCurrentCall(), flags)));

// Internal: started by an engine, and by commands that list runs when one left notices unsent.
program
  .command("__notices", { hidden: true })
  .action(async () => setExitCode((await import("../commands/notices.ts")).sendNotices(createCurrentCall())));
