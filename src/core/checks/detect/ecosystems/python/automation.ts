import type { DetectedProject, ProjectFiles } from "../../detected.ts";

/**
 * Supports programs that manage their own environments: first create all of them with a network, then run the tests
 * without one.
 */
export function detectAutomation({ files, missing }: ProjectFiles): DetectedProject {
  const tox = files.get("tox.ini");
  if (tox?.split("\n").some((line) => /^\[(?:tox|testenv)/.test(line)))
    return project("tox.ini", { program: "tox", prepare: "--notest", test: "" }, missing);
  const nox = files.get("noxfile.py");
  if (nox === undefined) return { commands: [] };
  const session = /^def (tests?|unit|pytest)\b/m.exec(nox)?.[1];
  const only = session === undefined ? "" : `-s ${session}`;
  return project("noxfile.py", { program: "nox", prepare: `--install-only ${only}`, test: `-R ${only}` }, missing);
}

type Automation = { readonly program: string; readonly prepare: string; readonly test: string };

function project(from: string, { program, prepare, test }: Automation, missing: ReadonlySet<string>): DetectedProject {
  const lacks = missing.has(program);
  const start = lacks ? `.venv/bin/python -m ${program}` : program;
  const fetch = lacks ? `python3 -I -m venv .venv && .venv/bin/python -I -m pip install ${program} && ` : "";
  return {
    commands: [{ name: "test", run: `${start} ${test}`.trim(), from }],
    setup: { run: `${fetch}${start} ${prepare}`.trim(), from },
  };
}
