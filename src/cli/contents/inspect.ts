import { Option } from "commander";
import {
  createCurrentCall,
  createReporterOption,
  createTrustOption,
  formatExamples,
  program,
  setExitCode,
} from "../program.ts";

// Examine results and evidence.

program.commandsGroup("Inspect");

const createCheckOption = () => new Option("--check", "exit with code 1 if the result is bad");

program
  .command("diff [run]")
  .description("show what a run changed since its base commit")
  .option("--unaccepted", "show uncommitted work since the run's last commit")
  .addHelpText("after", formatExamples("signalbox diff", "signalbox diff 20261115 | git apply --check"))
  .action(async (run, flags) =>
    setExitCode((await import("../commands/diff.ts")).showDiff(createCurrentCall(), run, flags)),
  );

program
  .command("report [run]")
  .description("export a run as a report")
  .addOption(createReporterOption("format"))
  .addHelpText(
    "after",
    formatExamples("signalbox report > report.md", "signalbox report --reporter junit=out/junit.xml"),
  )
  .action(async (run, flags) =>
    setExitCode((await import("../commands/report.ts")).printReport(createCurrentCall(), run, flags)),
  );

program
  .command("evidence [run]")
  .description("compare the engine's evidence with agents' claims")
  .option("--verify", "compare journal, ledger and anchors record by record")
  .addOption(createCheckOption())
  .addHelpText("after", formatExamples("signalbox evidence", "signalbox evidence --verify --check"))
  .action(async (run, flags) =>
    setExitCode((await import("../commands/evidence.ts")).showEvidence(createCurrentCall(), run, flags)),
  );

program
  .command("gate <name>")
  .description("re-evaluate a gate or rule and show its rows")
  .option("--run <run>", "run to inspect (default: the newest)")
  .option("--sql", "print the source of the rules instead")
  .addOption(createCheckOption())
  .addOption(createTrustOption())
  .addHelpText(
    "after",
    formatExamples("signalbox gate EG-6", "signalbox gate 'design review' --check", "signalbox gate EG-2 --sql"),
  )
  .action(async (name, flags) =>
    setExitCode((await import("../commands/gate.ts")).showGate(createCurrentCall(), name, flags)),
  );

program
  .command("sql <query>")
  .description("query the ledger: one read-only SELECT, at most 2 s")
  .addHelpText("after", formatExamples("signalbox sql 'SELECT * FROM anvil_checks LIMIT 5'"))
  .action(async (query) => setExitCode((await import("../commands/sql.ts")).queryLedger(createCurrentCall(), query)));

program
  .command("audit <file>")
  .description("evaluate the ledger gates on an external ledger")
  .addOption(createCheckOption())
  .addHelpText(
    "after",
    formatExamples("signalbox audit ../other/ledger.db", "signalbox audit ledger.db --check --json"),
  )
  .action(async (file, flags) =>
    setExitCode((await import("../commands/audit.ts")).auditFile(createCurrentCall(), file, flags)),
  );
