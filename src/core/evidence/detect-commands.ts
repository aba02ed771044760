import { detectNode } from "./detect-node.ts";
import { detectPython, PYTHON_FILES } from "./detect-python.ts";
import type { Detected, DetectedCommand, ProjectFiles } from "./detected.ts";
import { makeTargets } from "./make-targets.ts";

export type { Detected } from "./detected.ts";

const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];

/** The only files whose text is needed. */
export const FILES_ASKED: readonly string[] = ["package.json", ...PYTHON_FILES, ...MAKEFILES];

/**
 * The checks that a project itself declares, never one that it does not have. In this order: package.json, Python,
 * Go, Cargo, make; within each: build, typecheck, lint, test. The first to claim a name keeps it; the same
 * check of a further language gets its language behind it (`test-go`), and make fills only what is still missing,
 * because its targets mostly call what the others found. The first that has a set-up prepares the checkout.
 */
export function detectIn(project: ProjectFiles): Detected {
  const languages = [
    { language: "node", ...detectNode(project) },
    { language: "python", ...detectPython(project) },
    { language: "go", ...detectGo(project) },
    { language: "cargo", ...detectCargo(project) },
  ];
  const commands: DetectedCommand[] = [];
  const isTaken = (name: string) => commands.some((command) => command.name === name);
  for (const found of languages) {
    for (const { name, ...rest } of found.commands)
      commands.push({ name: isTaken(name) ? `${name}-${found.language}` : name, ...rest });
  }
  commands.push(...detectMake(project).filter(({ name }) => !isTaken(name)));
  const setup = languages.find((found) => found.setup)?.setup;
  return { commands, ...(setup ? { setup } : {}) };
}

/** Where every program is taken to be there. */
export function detectCommands(files: ReadonlyMap<string, string>, names: readonly string[]): Detected {
  return detectIn({ files, names: new Set(names), missing: new Set() });
}

function detectGo({ names }: ProjectFiles): Detected {
  const from = "go.mod";
  if (!names.has(from)) return { commands: [] };
  const commands = [
    { name: "build", run: "go build ./...", from },
    { name: "test", run: "go test ./...", from },
  ];
  // What it fetches lies in the home, which no other checkout has.
  return names.has("go.sum") ? { commands, setup: { run: "go mod download", from } } : { commands };
}

function detectCargo({ names }: ProjectFiles): Detected {
  const from = "Cargo.toml";
  if (!names.has(from)) return { commands: [] };
  const commands = [
    { name: "build", run: "cargo build", from },
    { name: "test", run: "cargo test", from },
  ];
  return names.has("Cargo.lock") ? { commands, setup: { run: "cargo fetch --locked", from } } : { commands };
}

const TARGETS = ["build", "typecheck", "lint", "test", "check"];

function detectMake({ files }: ProjectFiles): readonly DetectedCommand[] {
  const from = MAKEFILES.find((name) => files.has(name));
  if (from === undefined) return [];
  const targets = makeTargets(files.get(from) ?? "");
  return TARGETS.filter((name) => targets.has(name)).map((name) => ({ name, run: `make ${name}`, from }));
}
