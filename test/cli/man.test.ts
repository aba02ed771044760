import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { program } from "../../src/cli/program.ts";
import "../../src/cli/contents/all.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "signalbox-man-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(() => {
  execFileSync(process.execPath, [join(ROOT, "scripts/man.mjs"), folder]);
});

const renderer = ["mandoc", "man"].find((name) =>
  (process.env["PATH"] ?? "").split(delimiter).some((dir) => existsSync(join(dir, name))),
);

/** Renders a page as text without the overstrikes of bold letters. */
function renderPage(page: string): string {
  const file = join(folder, page);
  const args = renderer === "man" ? ["--warnings", "-P", "cat", "-l", file] : ["-Tutf8", "-Owidth=200", file];
  const env = { ...process.env, MANWIDTH: "200", MANPAGER: "cat", MAN_KEEP_FORMATTING: "", LC_ALL: "C.UTF-8" };
  const said = execFileSync(renderer ?? "", args, { encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a letter, a step back and the letter again is a bold one.
  return said.replaceAll(/.\u0008/g, "").replaceAll(/\s+/g, " ");
}

type ListedCommand = { readonly page: string; readonly way: string; readonly command: Command };

function listCommands(): readonly ListedCommand[] {
  const help = program.createHelp();
  const listSubcommands = (command: Command) => help.visibleCommands(command).filter((each) => each.name() !== "help");
  return listSubcommands(program).flatMap((command) => {
    const page = `signalbox-${(command.helpGroup() ?? "").toLowerCase()}.1`;
    const inner = listSubcommands(command);
    if (inner.length === 0) return [{ page, way: command.name(), command }];
    return inner.map((each) => ({ page, way: `${command.name()} ${each.name()}`, command: each }));
  });
}

describe("the man pages", () => {
  test("match the list in the package", () => {
    const { man } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(man.toSorted()).toEqual(
      readdirSync(folder)
        .map((page) => `./dist/man/${page}`)
        .toSorted(),
    );
  });

  test.skipIf(renderer === undefined)(
    "list every command and flag with its description as in --help (skipped without mandoc or man)",
    () => {
      const texts = new Map(
        [...new Set(listCommands().map(({ page }) => page))].map((page) => [page, renderPage(page)]),
      );
      const missing = listCommands().flatMap(({ page, way, command }) => {
        const text = texts.get(page) ?? "";
        const help = command.createHelp();
        const flags = help.visibleOptions(command).map((option) => help.optionTerm(option));
        const wanted = [`signalbox ${way}`, help.commandDescription(command), ...flags];
        return wanted.filter((each) => !text.includes(each.replaceAll(/\s+/g, " "))).map((each) => `${page}: ${each}`);
      });
      expect(listCommands().length).toBeGreaterThan(25);
      expect(missing).toEqual([]);
    },
  );

  test.skipIf(renderer === undefined)(
    "list exit codes, files and environment variables (skipped without mandoc or man)",
    () => {
      const text = renderPage("signalbox.1");
      for (const heading of [
        "NAME",
        "SYNOPSIS",
        "OPTIONS",
        "COMMANDS",
        "EXIT STATUS",
        "ENVIRONMENT",
        "FILES",
        "SEE ALSO",
      ])
        expect(text).toContain(heading);
      for (const each of ["130, 143", "another engine owns the run", ".signalbox/config.yaml", "SIGNALBOX_TRUST"])
        expect(text).toContain(each);
      for (const { command } of listCommands()) if (command.parent === program) expect(text).toContain(command.name());
    },
  );
});
