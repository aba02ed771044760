import type { Finding } from "../../authoring/finding.ts";
import type { ExamTrees } from "../../journal/effect.ts";
import { type CrossExamination, WHOLE_COMMAND } from "./cross-examine.ts";
import { fileOf, speaksOf, titleOf } from "./test-name.ts";

/** Creates the findings for a reviewer and the gate: one per file and kind, regardless of the number of tests. */
export function examFindings(examined: CrossExamination): readonly Finding[] {
  if (examined.verdict === "none") return [finding("critical", `No verdict of the old tests: ${examined.because}.`)];
  const { named, edited, loosened, needless } = examined;
  // A command that reports no test names cannot be matched to an announcement.
  if (named.unannounced.includes(WHOLE_COMMAND))
    return [
      finding("critical", edited.length > 0 ? UNNAMED_EDITED : UNNAMED),
      ...perFile(loosened, { severity: "major", says: LOOSENED }),
    ];
  return [
    ...perFile(without(named.unannounced, edited), { severity: "critical", says: NAMED }),
    ...perFile(among(named.unannounced, edited), { severity: "critical", says: `${EDITED}; this was not announced` }),
    ...announcedFindings(examined),
    ...perFile(loosened, { severity: "major", says: LOOSENED }),
    ...droppedFindings(examined),
    ...perFile(examined.unstable, { severity: "minor", says: UNSTABLE }),
    ...needless.map(({ was, becomes, tests }) =>
      finding("minor", `"${was}" becomes "${becomes}" was announced, but no failing test needs it: ${listed(tests)}.`),
    ),
  ];
}

/** Groups by announcement, so that a reader can look it up. */
function announcedFindings({ named, edited, promises }: CrossExamination): readonly Finding[] {
  const promiseOf = (name: string) => promises.find(({ tests }) => tests.some((said) => speaksOf(said, name)));
  return [...Map.groupBy(named.announced, promiseOf)].flatMap(([promise, names]) => {
    const what = promise ? ` ("${promise.was}" becomes "${promise.becomes}")` : "";
    const as = `as ${promise?.from ?? "the approved plan"} announced${what}`;
    return [
      ...perFile(without(names, edited), { severity: "minor", says: `${ANNOUNCED}, ${as}` }),
      ...perFile(among(names, edited), { severity: "minor", says: `${EDITED}, ${as}` }),
    ];
  });
}

/** Reports tests that the change removes or skips although they pass. */
export function droppedFindings({ dropped }: CrossExamination): readonly Finding[] {
  return perFile(dropped, { severity: "minor", says: DROPPED });
}

/** Reports files that were examined with the new text, because exam and code could not be separated. */
export function inseparableFindings(paths: readonly string[]): readonly Finding[] {
  return paths.map((path) =>
    finding("major", `${path} changed, and what in it decides about the tests cannot be told from the code.`, path),
  );
}

/** Reports packages that tests may use and that were replaced under the same name. */
export function replacedFindings(replaced: ExamTrees["replaced"] = []): readonly Finding[] {
  return replaced.map(({ path, packages }) =>
    packages.length === 0
      ? finding("major", `${path} changed, and which packages it installs cannot be read.`, path)
      : finding(
          "major",
          `${path} takes packages that were installed before from another place: ${listed(packages)}.`,
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

function among(names: readonly string[], some: readonly string[]): readonly string[] {
  return names.filter((name) => some.includes(name));
}

function without(names: readonly string[], some: readonly string[]): readonly string[] {
  return names.filter((name) => !some.includes(name));
}

type Kind = { readonly severity: Finding["severity"]; readonly says: string };

function perFile(names: readonly string[], { severity, says }: Kind): readonly Finding[] {
  return [...Map.groupBy(names, fileOf)].map(([file, tests]) => {
    const what = tests.length === 1 ? "a test" : `${tests.length} tests, each of which`;
    const message = `${file === "" ? "" : `${file}: `}${what} ${says}: ${listed(tests.map(titleOf))}.`;
    return finding(severity, message, file);
  });
}

const SHOWN = 3;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => `"${name}"`);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

function finding(severity: Finding["severity"], message: string, file = ""): Finding {
  return { severity, message, ...(file === "" ? {} : { files: [file] }), by: "exam" };
}
