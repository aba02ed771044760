import { proposeFix } from "../../src/core/checks/cure/cure.ts";
import { detectCommands } from "../../src/core/checks/detect/detect-commands.ts";
import { classifyPath } from "../../src/core/checks/exam/exam-path.ts";
import { classifyMention } from "../../src/core/checks/exam/judging-files.ts";
import { collectPathWords } from "../../src/core/checks/exam/leading-words.ts";
import { isRequestingOthers } from "../../src/core/checks/exam/locks/package-files.ts";
import { combineParts, isUndermining } from "../../src/core/checks/exam/parts/combine-parts.ts";
import { isShadow } from "../../src/core/checks/exam/shadow.ts";
import { isImport, listProgramPaths, listScriptNames } from "../../src/core/checks/exam/started-programs.ts";
import { isMentioned } from "../../src/core/checks/exam/uses/mention.ts";
import { matchesGlob } from "../../src/core/checks/guard/glob.ts";
import { checkSyntax } from "../../src/core/checks/guard/syntax-check.ts";
import { explainNotRun } from "../../src/core/checks/outcome/not-run.ts";
import { readRequestedReport } from "../../src/core/checks/reports/requested-report.ts";
import { REPORT_KINDS, readTestReport } from "../../src/core/checks/reports/test-report.ts";
import { isRead, isSetupInput, mayRunTree } from "../../src/core/checks/setup/setup-inputs.ts";
import { findGuardedChanges, findWeakened } from "../../src/core/checks/tamper/tamper.ts";
import { KIB, MIB, type Reader } from "./reader.ts";

/** Readers of trees that an agent left, of its reports and of program output. */
export const EVIDENCE: readonly Reader[] = [
  ...[".github/workflows/ci.yml", "a.json", "package.json", "b.yaml", "pyproject.toml"].map(createChangeReader),
  ...["a.test.ts", "test_a.py", "a_test.go", "tests/a.rs", "ATest.java", "a_spec.rb", "ATests.cs"].map(
    createChangeReader,
  ),
  ...["ATest.php", "vitest.config.ts", "pom.xml", "conftest.py", "Makefile", "tox.ini"].map(createChangeReader),
  ...REPORT_KINDS.map((kind) => ({
    name: `report ${kind}`,
    kind: "report" as const,
    most: 8 * MIB,
    read: (text: string) => readTestReport(text, { kind, tops: ["/tmp/checkout"] }),
  })),
  { name: "report asked for", kind: "report", most: 8 * MIB, read: readReport },
  ...["src/a.rs", "package.json", "pyproject.toml", "setup.cfg"].map(createExamReader),
  ...["src/a.py", "src/a.rs", "src/a.rb", "Makefile", "src/a.ts"].map(createMentionReader),
  { name: "line of a command", kind: "shell", most: 64 * KIB, read: commandLine },
  { name: "line that starts a file", kind: "json", most: 8 * MIB, read: startLine },
  { name: "file name", kind: "path", most: 4 * KIB, read: fileName },
  { name: "glob", kind: "path", most: 4 * KIB, read: (text) => matchesGlob("src/a/b/c/some-file.test.ts", text) },
  { name: "tree that is set up", kind: "json", most: 8 * MIB, read: setUp },
  { name: "project that is looked at", kind: "toml", most: 8 * MIB, read: project },
  { name: "output of a command", kind: "shell", most: 64 * KIB, read: output },
];

const BEFORE = "a: 1\n";

function createChangeReader(path: string): Reader {
  return {
    name: `changed ${path}`,
    kind: findKind(path),
    most: 8 * MIB,
    read(text) {
      const changes = [
        { path, status: "modified", before: BEFORE, after: text },
        { path: `other/${path}`, status: "modified", before: text, after: BEFORE },
      ] as const;
      const question = { changes, protectedPaths: ["**/*.lock"] };
      return [findGuardedChanges(question), findWeakened(question), checkSyntax(changes)];
    },
  };
}

function findKind(path: string): Reader["kind"] {
  if (/\.ya?ml$/.test(path)) return "yaml";
  if (path.endsWith(".json")) return "json";
  return path.endsWith(".toml") ? "toml" : "source";
}

function createExamReader(path: string): Reader {
  return {
    name: `exam in ${path}`,
    kind: findKind(path),
    most: 4 * MIB,
    read(text) {
      const sides = [
        { path, code: text, exam: "", lines: ["npm test"] },
        { path, code: BEFORE, exam: text, lines: ["npm run check"] },
      ];
      return [
        sides.map(combineParts),
        sides.map(isUndermining),
        isRequestingOthers({ path, before: text, after: "{}" }),
      ];
    },
  };
}

function createMentionReader(path: string): Reader {
  return {
    name: `mention in ${path}`,
    kind: "source",
    most: 8 * MIB,
    read: (text) => text.split("\n").map((line) => isMentioned({ path, text: `${line}b` }, "src/lib/b.py")),
  };
}

function readReport(text: string): unknown {
  return readRequestedReport(`{"report":1,"runner":"vitest","cwd":"/"}\n${text}\n{"finished":true}\n`);
}

function commandLine(text: string): unknown {
  return [listProgramPaths(text), listScriptNames(text), mayRunTree(text, { paths: new Set(["a"]), texts: new Map() })];
}

function startLine(text: string): unknown {
  const use = { from: "package.json", to: "scripts/a.js", by: "code", setUp: false, text } as const;
  const isUse = isImport(use, { programs: new Set(["scripts/a.js"]), scripts: new Set(["test"]) });
  const words = (["line", "recipe", "program"] as const).map((kind) =>
    collectPathWords([{ text, folders: ["", "a/"], kind }]),
  );
  return [isUse, words.map((each) => classifyMention("ci/a.py", each))];
}

function fileName(text: string): unknown {
  const globs = ["**/*.{test,spec}.[jt]s", "a/**/b/*/c?.md", "*a*b*c*d*e*", "{a,b{c,d}}/**"];
  return [classifyPath(text), isShadow(text), isSetupInput(text), isRead(text), globs.map((g) => matchesGlob(text, g))];
}

function setUp(text: string): unknown {
  const texts = new Map(
    ["package.json", "package-lock.json", ".npmrc", "requirements.txt"].map((path) => [path, text]),
  );
  return ["npm ci", "pip install -r requirements.txt"].map((line) =>
    mayRunTree(line, { paths: new Set(texts.keys()), texts }),
  );
}

function project(text: string): unknown {
  const names = ["package.json", "pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "Makefile", "requirements.txt"];
  return detectCommands(new Map(names.map((name) => [name, text])), names);
}

function output(text: string): unknown {
  const words = `the set-up failed (exit 1): ${text}`;
  const command = { name: "test", run: "npm test" };
  const project = { commands: [], scripts: ["a"] };
  const machine = { isRoot: false, isInstalled: () => true };
  const said = [text, words].map((each) =>
    proposeFix({ command, words: each, setup: { run: "npm ci" }, project, machine }),
  );
  return [explainNotRun({ exitCode: 1, output: text }), said];
}
