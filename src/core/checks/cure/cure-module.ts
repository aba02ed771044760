import { formatConfigCommands } from "../tamper/config-lines.ts";
import type { FailedCommandFacts } from "./cure.ts";

/**
 * Proposes the package of a Python module that cannot be imported, appended to the place where packages are installed.
 */
export function proposeModuleFix({
  command,
  words,
  setup,
  project,
}: FailedCommandFacts): readonly string[] | undefined {
  const module = /No module named '?([\w.]+)'?/.exec(words)?.[1];
  if (module === undefined) return undefined;
  const [top = module] = module.split(".");
  // A module of the tree itself is not installed from an index, where another project may use its name.
  const wanted = project.modules?.includes(top) ? "-e ." : (PACKAGES.get(top) ?? top);
  if (!setup?.run.includes(".venv") || !command.run.includes(".venv")) {
    const prepare = project.setup?.run.includes(".venv") ? project.setup.run : VENV;
    const lines = { setup: appendPackage(prepare, wanted) ?? prepare, [command.name]: addVenv(command.run) };
    if (setup?.run === lines.setup && command.run === lines[command.name])
      return [explainInstalledModule(top, setup.run)];
    return [
      `${top} is not installed in a clean checkout; create a virtual environment:`,
      ...formatConfigCommands(lines),
    ];
  }
  const longer = appendPackage(setup.run, wanted);
  if (longer === undefined) return [explainInstalledModule(top, setup.run)];
  return [
    `the set-up does not install ${top}; add it to the project's own packages for tests, or to the set-up:`,
    ...formatConfigCommands({ setup: longer }),
  ];
}

const explainInstalledModule = (module: string, run: string): string =>
  `the set-up (\`${run}\`) installs ${module} already, but it cannot be imported: run that line on a clean checkout to see why`;

/** Appends the package to those of the last install; undefined if it is already listed. */
function appendPackage(run: string, wanted: string): string | undefined {
  const parts = run.split(/(\s*(?:&&|;)\s*)/);
  const installs = parts.flatMap((part, at) => (INSTALLS.test(part) ? [at] : []));
  const has = (part: string | undefined): boolean => ` ${part?.replaceAll(/['"]/g, "")} `.includes(` ${wanted} `);
  if (installs.some((at) => has(parts[at]))) return undefined;
  const last = installs.findLast((at) => !/\s-r\s+\S+\s*$|--dry-run/.test(parts[at] ?? "")) ?? installs.at(-1);
  if (last === undefined) return `${run} && .venv/bin/python -m pip install ${wanted}`;
  return parts.map((part, at) => (at === last ? `${part.trimEnd()} ${wanted}` : part)).join("");
}

const INSTALLS = /\bpip3?\s+install\b/;

/** Modules whose package has another name. */
const PACKAGES: ReadonlyMap<string, string> = new Map([
  ["yaml", "PyYAML"],
  ["PIL", "Pillow"],
  ["cv2", "opencv-python-headless"],
  ["bs4", "beautifulsoup4"],
  ["dateutil", "python-dateutil"],
  ["sklearn", "scikit-learn"],
  ["attr", "attrs"],
  ["dotenv", "python-dotenv"],
  ["git", "GitPython"],
  ["OpenSSL", "pyOpenSSL"],
  ["Crypto", "pycryptodome"],
  ["pkg_resources", "setuptools"],
  ["jwt", "PyJWT"],
]);

const VENV = "python3 -m venv .venv && .venv/bin/python -m pip install -e . pytest";

function addVenv(run: string): string {
  if (/^(?:\S*\/)?python[\d.]*\s/.test(run)) return run.replace(/^\S+/, ".venv/bin/python");
  return /^pytest\b/.test(run) ? `.venv/bin/python -m ${run}` : run;
}
