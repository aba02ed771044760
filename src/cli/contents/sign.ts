import { createCurrentCall, formatExamples, program, setExitCode } from "../program.ts";

// Sign evidence and verify signatures.

program.commandsGroup("Inspect");

program
  .command("attest [run]")
  .description("sign a run's evidence as an in-toto statement")
  .option("--key <file>", "SSH or PEM ed25519 key (default: git's key, or ~/.ssh)")
  .option("--out <file>", "output file (default: standard output)")
  .option("--detached", "also write FILE.pae and FILE.sig for ssh-keygen -Y verify")
  .addHelpText(
    "after",
    formatExamples("signalbox attest --out run.intoto.json", "signalbox attest 20261115 --key evidence.pem"),
  )
  .action(async (run, flags) =>
    setExitCode((await import("../commands/attest.ts")).attestRun(createCurrentCall(), run, flags)),
  );

program
  .command("verify-statement <file>")
  .description("verify a statement against journal, ledger and git")
  .option("--key <file>", "trusted public key")
  .option("--allowed-signers <file>", "trusted signers, in ssh-keygen's format")
  .option("--run <run>", "run to compare with (default: the one it names)")
  .addHelpText("after", formatExamples("signalbox verify-statement run.intoto.json --key ~/.ssh/id_ed25519.pub"))
  .action(async (file, flags) =>
    setExitCode((await import("../commands/verify-statement.ts")).verifyStatement(createCurrentCall(), file, flags)),
  );
