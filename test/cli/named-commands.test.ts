import { globSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { program } from "../../src/cli/program.ts";
import "../../src/cli/contents/all.ts";

type CommandLine = { readonly file: string; readonly line: string };

/** Commands meant to be typed: quoted in a source, in backticks on a page, or at the start of a line of a page. */
const IN_SOURCE = /(?<=(["'`]))signalbox ((?:(?!\1|\\[`"]| \| ).)+)/g;
const IN_PAGE = /(?:(?<=`)|(?<=^(?:\$ |npx )?))signalbox ([^`#|;\n]+)/gm;

/** This file contains the name of a Postgres connection, which is not a command. */
const NO_MESSAGE = "src/hosts/dbos/tables/listen-notify.ts";

function findCommandLines(pattern: string, form: RegExp, except: readonly string[] = []): readonly CommandLine[] {
  return globSync(pattern, { exclude: [...except] }).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(form)].map((match) => ({ file, line: match.at(-1) ?? "" })),
  );
}

const findSubcommand = (parent: Command, name: string): Command | undefined =>
  parent.commands.find((each) => each.name() === name || each.aliases().includes(name));

/** Returns the parts of a command line that the program rejects: an unknown command or option. */
function findUnknownParts(line: string): readonly string[] {
  const [first = "", second = ""] = line.split(/\s+/);
  if (!/^[a-z][a-z-]*$/.test(first)) return [];
  const command = findSubcommand(program, first);
  if (!command) return first === "help" ? [] : [first];
  const inner = findSubcommand(command, second) ?? command;
  const known = [program, command, inner].flatMap(({ options }) => options.flatMap(({ long }) => (long ? [long] : [])));
  const options = [...line.matchAll(/(?<=^|[\s[])--[a-z][a-z-]*/g)].map(([option]) => option);
  return options
    .filter((option) => !known.includes(option) && option !== "--help")
    .map((option) => `${first} ${option}`);
}

test.each([
  ["a message of the sources", () => findCommandLines("src/**/*.ts", IN_SOURCE, ["src/**/*.test.ts", NO_MESSAGE]), 100],
  [
    "a page of the docs",
    () => [...findCommandLines("docs/**/*.md", IN_PAGE), ...findCommandLines("README.md", IN_PAGE)],
    50,
  ],
] as const)("every command that %s recommends exists with its options", (_what, named, least) => {
  const all = named();
  expect(all.length).toBeGreaterThan(least);
  expect(
    all.flatMap(({ file, line }) => findUnknownParts(line).map((unknown) => `${file}: ${unknown} in «${line}»`)),
  ).toEqual([]);
});
