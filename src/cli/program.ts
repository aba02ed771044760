import { readFileSync } from "node:fs";
import { Command, Option } from "commander";
import { type CallOptions, createCall } from "./call.ts";

/** The program with its global options, shared by all command definitions. */
export const program = new Command("signalbox")
  .description(
    "Runs teams of coding agents through engineering pipelines, with a program in charge instead of a prompt.",
  )
  .version(readVersion(), "-V, --version", "print the version")
  .helpOption("-h, --help", "show help")
  .helpCommand("help [command]", "show help for a command")
  .configureHelp({ subcommandTerm: formatCommandTerm, optionDescription: describeOption })
  .option("-C <dir>", "run in this directory")
  .option("--json", "print JSON: one document, or one event per line")
  .option("--plain", "print plain lines: no colors, no live display")
  .option("--ascii", "use ASCII symbols only")
  .option("--postgres <url>", "use the team's runs; `off` for this machine's")
  .exitOverride()
  .configureOutput({ outputError: () => {} });

export const createCurrentCall = () => {
  const { C: dir, ...form } = program.opts<{ C?: string } & Omit<CallOptions, "dir">>();
  return createCall({ ...form, ...(dir === undefined ? {} : { dir }) });
};

export const setExitCode = async (exit: Promise<number>): Promise<void> => {
  process.exitCode = await exit;
};

export const appendValue = (value: string, before: readonly string[]): readonly string[] => [...before, value];

export const formatExamples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;

export const createTrustOption = () => new Option("--trust", "trust the repository's code for this call");
export const createSandboxOption = () =>
  new Option("--sandbox <mode>", "sandbox mode").choices(["auto", "required", "off"]);
export const createAgentsOption = () => new Option("--agents <file>", "run scripted agents from this YAML file");
export const createAgentOption = () =>
  new Option("--agent <role=driver[:model]>", "agent for a role; * for all (repeatable)")
    .argParser(appendValue)
    .default([]);

export const createReporterOption = (help: string) =>
  new Option("--reporter <name[=path]>", `${help}: html, md, json, junit, sarif, github (repeatable)`)
    .argParser(appendValue)
    .default([]);

/** Formats an entry in the list of commands: its name and arguments, without `[options]`. */
function formatCommandTerm(command: Command): string {
  const names = command.registeredArguments.map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`));
  return [command.name(), ...names].join(" ");
}

/** Formats an option's description with its choices and default, without the empty default of repeatable options. */
function describeOption({ description, argChoices, defaultValue, defaultValueDescription }: Option): string {
  const choices = argChoices ? `: ${argChoices.join(", ")}` : "";
  const shown = defaultValueDescription ?? (typeof defaultValue === "string" ? defaultValue : undefined);
  return `${description}${choices}${shown === undefined ? "" : ` (default: ${shown})`}`;
}

export function readVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  // package.json is our own file and has a version.
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
