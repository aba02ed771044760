import type { Finding } from "../../authoring/finding.ts";
import type { ExamTrees } from "../../journal/effect.ts";
import { type CrossExamination, WHOLE_COMMAND } from "./cross-examine.ts";
import { getTestFile, getTestTitle, isAnnouncedTest } from "./test-name.ts";

/** Creates the findings for a reviewer and the gate: one per file and kind, regardless of the number of tests. */
export function createExamFindings(examined: CrossExamination): readonly Finding[] {
  if (examined.verdict === "none")
    return [createExamFinding("critical", `No verdict of the old tests: ${examined.because}.`)];
  const { named, edited, loosened, needless } = examined;
  // A command that reports no test names cannot be matched to an announcement.
  if (named.unannounced.includes(WHOLE_COMMAND))
    return [
      createExamFinding("critical", edited.length > 0 ? UNNAMED_EDITED : UNNAMED),
      ...createFindingsPerFile(loosened, { severity: "major", says: LOOSENED }),
    ];
  return [
    ...createFindingsPerFile(without(named.unannounced, edited), { severity: "critical", says: NAMED }),
    ...createFindingsPerFile(selectAmong(named.unannounced, edited), {
      severity: "critical",
      says: `${EDITED}; this was not announced`,
    }),
    ...reportAnnounced(examined),
    ...createFindingsPerFile(loosened, { severity: "major", says: LOOSENED }),
    ...createDroppedFindings(examined),
    ...createFindingsPerFile(examined.unstable, { severity: "minor", says: UNSTABLE }),
    ...needless.map(({ was, becomes, tests }) =>
      createExamFinding(
        "minor",
        `"${was}" becomes "${becomes}" was announced, but no failing test needs it: ${formatTestList(tests)}.`,
      ),
    ),
  ];
}

/** Groups by announcement, so that a reader can look it up. */
function reportAnnounced({ named, edited, promises }: CrossExamination): readonly Finding[] {
  const findPromise = (name: string) => promises.find(({ tests }) => tests.some((said) => isAnnouncedTest(said, name)));
  return [...Map.groupBy(named.announced, findPromise)].flatMap(([promise, names]) => {
    const what = promise ? ` ("${promise.was}" becomes "${promise.becomes}")` : "";
    const as = `as ${promise?.from ?? "the approved plan"} announced${what}`;
    return [
      ...createFindingsPerFile(without(names, edited), { severity: "minor", says: `${ANNOUNCED}, ${as}` }),
      ...createFindingsPerFile(selectAmong(names, edited), { severity: "minor", says: `${EDITED}, ${as}` }),
    ];
  });
}

/** Reports tests that the change removes or skips although they pass. */
export function createDroppedFindings({ dropped }: CrossExamination): readonly Finding[] {
  return createFindingsPerFile(dropped, { severity: "minor", says: DROPPED });
}

/** Reports files that were examined with the new text, because exam and code could not be separated. */
export function createInseparableFindings(paths: readonly string[]): readonly Finding[] {
  return paths.map((path) =>
    createExamFinding(
      "major",
      `${path} changed, and what in it decides about the tests cannot be told from the code.`,
      path,
    ),
  );
}

/** Reports packages that tests may use and that were replaced under the same name. */
export function createReplacedFindings(replaced: ExamTrees["replaced"] = []): readonly Finding[] {
  return replaced.map(({ path, packages }) =>
    packages.length === 0
      ? createExamFinding("major", `${path} changed, and which packages it installs cannot be read.`, path)
      : createExamFinding(
          "major",
          `${path} takes packages that were installed before from another place: ${formatTestList(packages)}.`,
          path,
        ),
  );
}

const NAMED = "passed on the old code, fails or is missing on the new code in its old form, and was not announced";
const UNNAMED =
  "The old tests passed on the old code and fail on the new one in their old form. Their command names no tests: read what it printed; whether all that fails was announced cannot be told.";
const EDITED =
  "failed on the old code, fails on the new code in its old form, and stopped failing only because it was changed";
const UNNAMED_EDITED =
  "The old tests failed on the old code and fail on the new one in their old form: only the changed tests pass. Their command names no tests: read what it printed.";
const ANNOUNCED = "passed on the old code and fails on the new one in its old form";
const LOOSENED = "failed on the new code until it was changed, and passes on the old and the new code now";
const DROPPED = "was removed or is skipped now, though it passes on the new code";
const UNSTABLE = "has another title each time it runs on the old code, so it was counted and not compared by name";

function selectAmong(names: readonly string[], some: readonly string[]): readonly string[] {
  return names.filter((name) => some.includes(name));
}

function without(names: readonly string[], some: readonly string[]): readonly string[] {
  return names.filter((name) => !some.includes(name));
}

type FindingKind = { readonly severity: Finding["severity"]; readonly says: string };

function createFindingsPerFile(names: readonly string[], { severity, says }: FindingKind): readonly Finding[] {
  return [...Map.groupBy(names, getTestFile)].map(([file, tests]) => {
    const what = tests.length === 1 ? "a test" : `${tests.length} tests, each of which`;
    const message = `${file === "" ? "" : `${file}: `}${what} ${says}: ${formatTestList(tests.map(getTestTitle))}.`;
    return createExamFinding(severity, message, file);
  });
}

const SHOWN = 3;

function formatTestList(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => `"${name}"`);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

function createExamFinding(severity: Finding["severity"], message: string, file = ""): Finding {
  return { severity, message, ...(file === "" ? {} : { files: [file] }), by: "exam" };
}
