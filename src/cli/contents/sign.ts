import { call, examples, finish, program } from "../program.ts";

// Hand evidence on, signed.

program.commandsGroup("Inspect");

program
  .command("attest [run]")
  .description("sign what the engine witnessed of a run: an in-toto statement")
  .option("--key <file>", "an SSH key, or an ed25519 key in PEM (git's signing key, or ~/.ssh)")
  .option("--out <file>", "where to (standard output)")
  .option("--detached", "also FILE.pae and FILE.sig, for ssh-keygen -Y verify")
  .addHelpText(
    "after",
    examples("signalbox attest --out run.intoto.json", "signalbox attest 20261115 --key evidence.pem"),
  )
  .action(async (run, flags) => finish((await import("../commands/attest.ts")).attest(call(), run, flags)));

program
  .command("verify-statement <file>")
  .description("whether a signed statement holds: who signed it, and what journal, ledger and git say now")
  .option("--key <file>", "the public key whose signature counts")
  .option("--allowed-signers <file>", "those whose signature counts, as ssh-keygen reads it")
  .option("--run <run>", "compare with this run (the one that it names, where it is known here)")
  .addHelpText("after", examples("signalbox verify-statement run.intoto.json --key ~/.ssh/id_ed25519.pub"))
  .action(async (file, flags) =>
    finish((await import("../commands/verify-statement.ts")).verifyStatement(call(), file, flags)),
  );
