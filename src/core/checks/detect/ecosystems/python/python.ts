import type { DetectedSetup, ProjectFiles } from "../../detected.ts";
import type { Ecosystem } from "../ecosystem.ts";
import { detectAutomation } from "./automation.ts";
import { isInstallable, testPackages } from "./packages.ts";
import { detectPythonManager } from "./python-manager.ts";

/** Development files first: they name the test program and mostly include the others. */
const REQUIREMENTS = [
  "requirements-dev.txt",
  "dev-requirements.txt",
  "requirements-test.txt",
  "test-requirements.txt",
  "requirements.txt",
];
const PYTHON = "https://www.python.org/downloads";
const SETTINGS = ["pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"];

/**
 * Selects pytest if the project configures or requires it, else unittest if it is mentioned, else tox or nox; pytest
 * again for a package with a folder of tests and no other hint.
 */
export const python: Ecosystem = {
  name: "python",
  marks: [...SETTINGS, "setup.py", "noxfile.py", "conftest.py", ...REQUIREMENTS],
  programs: {
    python: ["apt install python3 python-is-python3", PYTHON],
    python3: ["apt install python3 python3-venv", PYTHON],
    tox: ["pipx install tox", "https://tox.wiki/en/latest/installation.html"],
    nox: ["pipx install nox", "https://nox.thea.codes"],
    uv: ["pipx install uv", "https://docs.astral.sh/uv/getting-started/installation"],
    poetry: ["pipx install poetry", "https://python-poetry.org/docs"],
    pdm: ["pipx install pdm", "https://pdm-project.org"],
  },
  toolChains: { PYENV_ROOT: ".pyenv" },
  find(project) {
    const runner = detectRunner(project);
    if (!runner) return detectAutomation(project);
    const setup = detectPythonManager(project) ?? createEnvironmentSetup(project, runner);
    const program = setup ? ".venv/bin/python" : "python3";
    const commands = [{ name: "test", run: `${program} -m ${runner.module}`, from: runner.from }];
    return setup ? { commands, setup } : { commands };
  },
};

type Runner = { readonly module: string; readonly from: string; readonly requirements?: string };

function detectRunner(project: ProjectFiles): Runner | undefined {
  const { files, names } = project;
  const requirements = REQUIREMENTS.find((name) => isPytestRequired(files.get(name) ?? ""));
  const configured = SETTINGS.find((name) => isPytestConfigured(name, files.get(name)));
  const from = configured ?? requirements ?? (names.has("conftest.py") ? "conftest.py" : undefined);
  if (from !== undefined) return { module: "pytest", from, ...(requirements ? { requirements } : {}) };
  const folder = ["tests", "test"].find((name) => names.has(name));
  const spoken = [...SETTINGS, "setup.py"].find((name) => /\bunittest\b|test_suite/.test(files.get(name) ?? ""));
  if (spoken) return { module: formatUnittestModule(project, folder), from: spoken };
  const own = ["pyproject.toml", "setup.py"].find((name) => names.has(name));
  const isAutomated = detectAutomation(project).commands.length > 0;
  return own && folder && !isAutomated && isInstallable(project) ? { module: "pytest", from: own } : undefined;
}

/** Tests in a package may import each other by its name, which requires discovery from the top. */
function formatUnittestModule({ paths }: ProjectFiles, folder: string | undefined): string {
  if (folder === undefined) return "unittest";
  const top = paths.includes(`${folder}/__init__.py`) ? " -t ." : "";
  return `unittest discover -s ${folder}${top}`;
}

/** Installs into a separate environment, because packages of the machine do not belong to the project. */
function createEnvironmentSetup(project: ProjectFiles, { module, requirements }: Runner): DetectedSetup | undefined {
  const { files, names } = project;
  const listed = [...new Set([...(names.has("requirements.txt") ? ["requirements.txt"] : []), requirements ?? ""])]
    .filter(Boolean)
    .map((name) => `-r ${name}`);
  const installed = isInstallable(project) && requirements === undefined ? testPackages(project) : [];
  const wanted = [...listed, ...installed];
  if (wanted.length === 0) return undefined;
  const runs = [...wanted, ...(module === "pytest" && requirements === undefined ? addPytest(installed) : [])];
  const from = requirements ?? (installed.length > 0 ? "pyproject.toml" : "requirements.txt");
  // An in-place install depends on its checkout, so it cannot be reused in another one.
  const inPlace =
    installed.length > 0 || REQUIREMENTS.some((name) => /^(?:-e\b|--editable\b|\.)/m.test(files.get(name) ?? ""));
  return {
    // `-I`: otherwise modules of the tree would shadow those of Python, and the set-up could not be cached for other
    // trees.
    run: `python3 -I -m venv .venv && .venv/bin/python -I -m pip install ${runs.join(" ")}`,
    ...(inPlace ? {} : { lockFile: from }),
    from: names.has(from) ? from : "setup.py",
  };
}

const addPytest = (packages: readonly string[]): readonly string[] =>
  packages.some((name) => /^'?pytest(?![\w-])/.test(name)) ? [] : ["pytest"];

function isPytestRequired(text: string): boolean {
  return text.split("\n").some((line) => /^pytest(?![\w-])/i.test(line.trim()));
}

function isPytestConfigured(name: string, text: string | undefined): boolean {
  if (text === undefined) return false;
  if (name === "pytest.ini") return true;
  const lines = text.split("\n").map((line) => line.trim());
  if (name === "pyproject.toml") return lines.some(isPytestNamed);
  return lines.some((line) => line === "[pytest]" || line === "[tool:pytest]");
}

/** Matches its own table, or a dependency: `"pytest>=8"` in a list, `pytest = "^8"` as a key. */
function isPytestNamed(line: string): boolean {
  return line.startsWith("[tool.pytest") || /(?:^|["'])pytest(?![\w-])/i.test(line);
}
