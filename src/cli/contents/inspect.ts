import { Option } from "commander";
import { call, examples, finish, program, reporters, trust } from "../program.ts";

// Ask why, and for the evidence.

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
  .action(async (name, flags) => finish((await import("../commands/gate.ts")).gate(call(), name, flags)));

program
  .command("sql <query>")
  .description("ask the ledger: one SELECT, read only, two seconds")
  .addHelpText("after", examples("signalbox sql 'SELECT * FROM anvil_checks LIMIT 5'"))
  .action(async (query) => finish((await import("../commands/sql.ts")).sql(call(), query)));

program
  .command("evidence [run]")
  .description("what the engine saw, beside what the agents claim")
  .option("--verify", "compare journal, ledger and anchors, record by record")
  .addOption(check())
  .addHelpText("after", examples("signalbox evidence", "signalbox evidence --verify --check"))
  .action(async (run, flags) => finish((await import("../commands/evidence.ts")).evidence(call(), run, flags)));

program
  .command("audit <file>")
  .description("replay the ledger gates over somebody else's ledger")
  .addOption(check())
  .addHelpText("after", examples("signalbox audit ../other/ledger.db", "signalbox audit ledger.db --check --json"))
  .action(async (file, flags) => finish((await import("../commands/audit.ts")).audit(call(), file, flags)));

program
  .command("diff [run]")
  .description("what a run changed, against where it started")
  .option("--unaccepted", "what it left behind its last commit, against that commit")
  .addHelpText("after", examples("signalbox diff", "signalbox diff 20261115 | git apply --check"))
  .action(async (run, flags) => finish((await import("../commands/diff.ts")).diff(call(), run, flags)));

program
  .command("report [run]")
  .description("a run as a document")
  .addOption(reporters("as what"))
  .addHelpText("after", examples("signalbox report > report.md", "signalbox report --reporter junit=out/junit.xml"))
  .action(async (run, flags) => finish((await import("../commands/report.ts")).report(call(), run, flags)));
