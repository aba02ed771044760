import type { Finding } from "../../core/authoring/finding.ts";
import { valueRule } from "../../core/authoring/rule.ts";
import type { Evidence } from "../../core/authoring/verbs.ts";
import { describeFailedCheck } from "../evidence-line.ts";
import type { Review } from "./roles.ts";

const createMajorFinding = (message: string): Finding => ({ severity: "major", message });

/** @rule K-01 (gate) Work that changed nothing is not done, whatever the agent reports. */
export const CHANGED = valueRule({
  id: "K-01",
  because: "the work must change something",
  judge: ({ changed }: { changed: readonly string[] }) => ({
    passed: changed.length > 0,
    findings: changed.length > 0 ? [] : [createMajorFinding("nothing was changed")],
    actual: changed.length,
    need: 1,
  }),
});

const RED: ReadonlySet<string> = new Set(["failed", "regression", "not-run"]);

/**
 * A check that failed before is no finding here; the interlock decides whether that is enough for a commit.
 * @rule K-02 (gate) A check that fails because of the work, or that no longer runs, sends the work back with its
 *   findings; so does a weakened test.
 */
export const GREEN = valueRule({
  id: "K-02",
  because: "no check of the project may fail because of the work, and no test may be weakened",
  judge: ({ evidence }: { evidence: Evidence }) => {
    const { checks, regressions, findings: others, tamper } = evidence;
    const red = checks.filter(({ outcome }) => RED.has(outcome));
    const passed = red.length === 0 && tamper.length === 0;
    const found = [...regressions, ...tamper, ...others];
    const findings =
      found.length > 0 ? found : red.map((check) => ({ ...createMajorFinding(""), ...describeFailedCheck(check) }));
    return { passed, findings: passed ? [] : findings, actual: red.length, need: 0 };
  },
});

/** @rule K-03 (gate) A requested reviewer must approve; minor findings alone do not send the work back. */
export const APPROVED = valueRule({
  id: "K-03",
  because: "the reviewer must approve, with no finding above minor",
  judge: ({ review: { verdict, findings, by } }: { review: Review & { readonly by: string } }) => {
    const passed = verdict === "approve" && findings.every(({ severity }) => severity === "minor");
    const said = findings.length > 0 || passed ? findings : [createMajorFinding("the reviewer requests a revision")];
    return { passed, findings: said.map((finding) => ({ ...finding, by })), actual: verdict, need: "approve" };
  },
});
