import type { Finding } from "../../finding.ts";
import type { CrossExamined } from "./cross-examine.ts";
import { fileOf, titleOf } from "./test-name.ts";

/** What a reviewer and the gate are told: one finding per file and kind, however many tests it has. */
export function examFindings(examined: CrossExamined): readonly Finding[] {
  if (examined.verdict === "none") return [finding("critical", `No verdict of the old tests: ${examined.because}.`)];
  const { named, loosened, needless } = examined;
  return [
    ...perFile(named.unannounced, { severity: "critical", says: NAMED }),
    ...perFile(named.announced, { severity: "minor", says: ANNOUNCED }),
    ...perFile(loosened, { severity: "major", says: LOOSENED }),
    ...droppedFindings(examined),
    ...needless.map(({ was, becomes, tests }) =>
      finding("minor", `"${was}" becomes "${becomes}" was announced, but no failing test needs it: ${listed(tests)}.`),
    ),
  ];
}

/** Tests that the change leaves out although nothing was wrong with them. */
export function droppedFindings({ dropped }: CrossExamined): readonly Finding[] {
  return perFile(dropped, { severity: "minor", says: DROPPED });
}

/** What was examined with the code's own text, because exam and code could not be told apart in it. */
export function inseparableFindings(paths: readonly string[]): readonly Finding[] {
  return paths.map((path) =>
    finding("major", `${path} changed, and what in it decides about the tests cannot be told from the code.`, path),
  );
}

const NAMED = "passed on the old code, fails or is missing on the new code in its old form, and was not announced";
const ANNOUNCED = "passed on the old code and fails on the new one in its old form, as the approved plan announced";
const LOOSENED = "failed on the new code until it was changed, and passes on the old and the new code now";
const DROPPED = "was removed or is skipped now, though it passes on the new code";

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
