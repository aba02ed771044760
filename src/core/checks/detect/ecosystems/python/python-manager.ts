import type { DetectedSetup, ProjectFiles } from "../../detected.ts";
import { testParts } from "./packages.ts";

/** Program that creates `.venv` from the project's declarations. If it is missing, pip reads the same. */
type PythonManager = {
  readonly program: string;
  readonly lock: string;
  /** Declaration without a lock file. */
  readonly table: RegExp;
  run(at: { readonly locked: boolean; readonly extra?: string; readonly group?: string }): string;
};

const MANAGERS: readonly PythonManager[] = [
  {
    program: "uv",
    lock: "uv.lock",
    table: /^\[tool\.uv\b/m,
    // The group `dev` is installed anyway.
    run: ({ locked, extra, group }) =>
      ["uv sync", locked && "--locked", extra && `--extra ${extra}`, group && group !== "dev" && `--group ${group}`]
        .filter(Boolean)
        .join(" "),
  },
  {
    program: "poetry",
    lock: "poetry.lock",
    table: /^\[tool\.poetry\]/m,
    run: ({ extra, group }) =>
      [
        "POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction",
        extra && `--extras ${extra}`,
        group && group !== "dev" && `--with ${group}`,
      ]
        .filter(Boolean)
        .join(" "),
  },
  {
    program: "pdm",
    lock: "pdm.lock",
    table: /^\[tool\.pdm\b/m,
    run: ({ group }) => ["pdm install", group && group !== "dev" && `-G ${group}`].filter(Boolean).join(" "),
  },
];

export function detectPythonManager(project: ProjectFiles): DetectedSetup | undefined {
  const { files, names, missing } = project;
  const text = files.get("pyproject.toml");
  if (text === undefined) return undefined;
  const byLock = MANAGERS.find(({ lock }) => names.has(lock));
  const manager = byLock ?? MANAGERS.find(({ table }) => table.test(text));
  if (!manager || missing.has(manager.program)) return undefined;
  const run = manager.run({ locked: byLock !== undefined, ...testParts(project) });
  return { run, from: byLock?.lock ?? "pyproject.toml" };
}
