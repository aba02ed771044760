import type { Detected, ProjectFiles } from "./detected.ts";

/** Those for development first: they name the test program, and mostly include the others. */
const REQUIREMENTS = [
  "requirements-dev.txt",
  "dev-requirements.txt",
  "requirements-test.txt",
  "test-requirements.txt",
  "requirements.txt",
];
const SETTINGS = ["pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"];
export const PYTHON_FILES: readonly string[] = [...SETTINGS, ...REQUIREMENTS];

/** pytest where the project configures or requires it, otherwise tox where it is configured. */
export function detectPython({ files, names }: ProjectFiles): Detected {
  const requirements = REQUIREMENTS.find((name) => requiresPytest(files.get(name) ?? ""));
  const configured = SETTINGS.find((name) => configuresPytest(name, files.get(name)));
  const from = configured ?? requirements ?? (names.has("conftest.py") ? "conftest.py" : undefined);
  if (from === undefined) return { commands: toxCommand(files.get("tox.ini")) };
  // Only a file that brings pytest makes an environment in which the tests can run.
  if (requirements === undefined) return { commands: [{ name: "test", run: "python3 -m pytest", from }] };
  return {
    commands: [{ name: "test", run: ".venv/bin/python -m pytest", from }],
    setup: { run: environment(requirements, names), lockFile: requirements, from: requirements },
  };
}

function environment(requirements: string, names: ReadonlySet<string>): string {
  const wanted = [...new Set(names.has("requirements.txt") ? ["requirements.txt", requirements] : [requirements])];
  // `-I`: otherwise modules of the tree would be taken for those of Python, and the set-up could be kept for no other tree.
  return `python3 -I -m venv .venv && .venv/bin/python -I -m pip install ${wanted.map((name) => `-r ${name}`).join(" ")}`;
}

function requiresPytest(text: string): boolean {
  return text.split("\n").some((line) => /^pytest(?![\w-])/i.test(line.trim()));
}

function configuresPytest(name: string, text: string | undefined): boolean {
  if (text === undefined) return false;
  if (name === "pytest.ini") return true;
  const lines = text.split("\n").map((line) => line.trim());
  if (name === "pyproject.toml") return lines.some(namesPytest);
  return lines.some((line) => line === "[pytest]" || line === "[tool:pytest]");
}

/** Its own table, or a dependency: `"pytest>=8"` in a list, `pytest = "^8"` as a key. */
function namesPytest(line: string): boolean {
  return line.startsWith("[tool.pytest") || /(?:^|["'])pytest(?![\w-])/i.test(line);
}

function toxCommand(text: string | undefined): Detected["commands"] {
  const isTox = text?.split("\n").some((line) => /^\[(?:tox|testenv)/.test(line));
  return isTox ? [{ name: "test", run: "tox", from: "tox.ini" }] : [];
}
