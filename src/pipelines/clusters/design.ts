import type { Finding } from "../../core/finding.ts";
import type { Verbs } from "../../core/verbs.ts";
import type { Feature } from "./feature.ts";
import { cleaned, invalidated } from "./memory.ts";
import { CRITICS, ctAggregator, designer } from "./roles.ts";
import { CT, stricter } from "./rules.ts";
import { findingsIn } from "./task-files.ts";

const REVISIONS = 1;
const NEEDED = 2;

/** Steps 3 and 3b: a design, four critics, one revision; what is left becomes constraints for the planner. */
export async function design(verbs: Verbs<unknown>, feature: Feature): Promise<readonly Finding[]> {
  const { phase, loop, gate, end } = verbs;
  const result = await loop({ max: 1 + REVISIONS }, async ({ round, findings }) => {
    phase("3 Design");
    if (round > 1) await feature.remember(invalidated(feature.memory, ["3", "3b"], "the design is revised"));
    const review = round > 1 ? ["design_critical_review.md"] : [];
    const reads = ["analysis.md", "feature.md", ...review];
    await feature.solo({ role: designer, step: "3", reads, output: "design.md", more: { findings } });
    if (round > 1) await feature.remember(cleaned(feature.memory));

    phase("3b Design review");
    const critics = await feature.cluster(
      CRITICS.map((role) => ({
        role,
        step: "3b",
        reads: ["design.md", "feature.md"],
        output: `ct-review/${role.name}.md`,
      })),
    );
    const there = critics.filter((critic) => critic.status === "DONE");
    if (there.length < NEEDED) return end({ status: "error", reason: `only ${there.length} of 4 critics answered` });
    const joined = await feature.solo({
      role: ctAggregator,
      step: "3b",
      reads: ["design.md", ...there.map((critic) => `ct-review/${critic.name}.md`)],
      output: "design_critical_review.md",
    });
    const said = findingsIn(joined.text, ctAggregator.name);
    const serious = [...said, ...critics.flatMap((critic) => critic.findings)].filter(
      (each) => each.severity !== "minor",
    );
    const table = serious.length > 0 ? "NEEDS_REVISION" : "DONE";
    const aggregate = stricter({ status: table, why: serious[0]?.message ?? "" }, joined.status);
    return { decision: await gate("CT", [CT], { aggregate, findings: serious }) };
  });
  return result.ended === "passed" ? [] : result.decision.findings;
}
