import { readFileSync } from "node:fs";
import { Command, Option } from "commander";
import { type CallOptions, callOf } from "./call.ts";

/** The program with its global options, shared by all command definitions. */
export const program = new Command("signalbox")
  .description(
    "Runs teams of coding agents through engineering pipelines, with a program in charge instead of a prompt.",
  )
  .version(version(), "-V, --version")
  .option("-C <dir>", "work in this directory, as in git")
  .option("--json", "answer in JSON: one document, or one event per line")
  .option("--plain", "lines without colours, and nothing that moves")
  .option("--ascii", "signs that every terminal has")
  .option("--postgres <url>", "the team's runs instead of this machine's; `off` for this machine's")
  .exitOverride()
  .configureOutput({ outputError: () => {} });

export const call = () => {
  const { C: dir, ...form } = program.opts<{ C?: string } & Omit<CallOptions, "dir">>();
  return callOf({ ...form, ...(dir === undefined ? {} : { dir }) });
};

export const finish = async (exit: Promise<number>): Promise<void> => {
  process.exitCode = await exit;
};

export const several = (value: string, before: readonly string[]): readonly string[] => [...before, value];

export const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;

export const trust = () => new Option("--trust", "let the repository's own configuration and pipelines run, this once");
export const sandbox = () =>
  new Option("--sandbox <mode>", "what holds agents and checks").choices(["auto", "required", "off"]);
export const agents = () => new Option("--agents <file>", "play all roles by this script (YAML)");
export const agent = () =>
  new Option("--agent <role=driver[:model]>", "who plays a role; * is every role")
    .argParser(several)
    .default([], "none");

export const reporters = (help: string) =>
  new Option("--reporter <name[=path]>", `${help}: html, md, json, junit, sarif or github; may be repeated`)
    .argParser(several)
    .default([], "none");

export function version(): string {
  const file = new URL("../../package.json", import.meta.url);
  // package.json is our own file and has a version.
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
