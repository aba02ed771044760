import { call, finish, program } from "../program.ts";

// Answer what a run asks.

program.commandsGroup("Decide");

program
  .command("inbox [id]")
  .description("the questions that wait for a person; with an id one of them, with all that it shows")
  .action(async (id) => finish((await import("../commands/inbox.ts")).inbox(call(), id)));

program
  .command("approve <id>")
  .description("answer a question; without --choose by its first choice")
  .option("--choose <choice>", "the choice")
  .option("--note <text>", "a note for whoever goes on")
  .option("--resume", "let the run go on at once, here; with --detach by itself")
  .option("--detach", "let it go on at once, by itself")
  .action(async (id, flags) => finish((await import("../commands/decide.ts")).approve(call(), id, flags)));

program
  .command("reject <id>")
  .description("answer a question by the choice that stops; with --note by the one that revises, where there is one")
  .option("--note <text>", "why, or what should be different")
  .option("--resume", "let the run go on at once, here; with --detach by itself")
  .option("--detach", "let it go on at once, by itself")
  .action(async (id, flags) => finish((await import("../commands/decide.ts")).reject(call(), id, flags)));
