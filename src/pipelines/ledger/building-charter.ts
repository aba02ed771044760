import type { Charter } from "../charter.ts";

/** Implementation, verification, code review and the closing. */
export const buildingCharter: Charter = [
  {
    id: "L-14",
    rule: "The baseline is pinned before work begins; tasks run by dependency, at most four in a sub-wave.",
    kind: "policy",
    by: "pipelines/ledger/planning.ts#SUB_WAVE",
  },
  {
    id: "L-15",
    rule: "Checks run before and after each task; what was green and is red now is a regression.",
    kind: "policy",
    by: "core/evidence/outcome.ts#outcomeOf",
  },
  {
    id: "L-16",
    rule: "A task counts with a baseline and enough different green checks of this round, three where it is large or red, and no red one.",
    kind: "gate",
    by: "pipelines/ledger/rules.ts#VERIFY",
  },
  {
    id: "L-17",
    rule: "Verification goes round three times: replan, start over from the baseline, then go on with low confidence.",
    kind: "policy",
    by: "pipelines/ledger/verification.ts#ITERATIONS",
  },
  {
    id: "L-18",
    rule: "Going back to the baseline takes away what the task created, too.",
    kind: "code",
    by: "pipelines/ledger/verification.ts#implementAndVerify",
  },
  {
    id: "L-19",
    rule: "Code review has two rounds with a verified fix between them; what is open then is a known issue, and confidence is low.",
    kind: "policy",
    by: "pipelines/ledger/code-review.ts#ROUNDS",
  },
  {
    id: "L-20",
    rule: "Looking back never stops a run; it is tried once more.",
    kind: "code",
    by: "pipelines/ledger/closing.ts#lookBack",
  },
  {
    id: "L-21",
    rule: "The bundle names confidence, checks, reviews, changed files, known issues and a rollback that works.",
    kind: "code",
    by: "pipelines/ledger/artifacts.ts#bundleOf",
  },
  {
    id: "L-22",
    rule: "Work is committed from medium confidence on, under a fixed message, with nothing of the user's in it.",
    kind: "policy",
    by: "pipelines/ledger/index.ts#ledger",
  },
  {
    id: "L-23",
    rule: "Every dispatch leaves a telemetry row with its real times.",
    kind: "code",
    by: "engine/verbs/telemetry.ts#telemetry",
  },
  {
    id: "L-30",
    rule: "What agents say about artifacts and instructions is stored; a proposal is stored as not applied.",
    kind: "code",
    by: "pipelines/ledger/roles.ts#updateRows",
  },
  {
    id: "L-31",
    rule: "At its end a run looks at itself: steps, gates, errors, blockers, budgets, outputs, commit, telemetry.",
    kind: "gate",
    by: "pipelines/ledger/self-check.ts#SELF_CHECK",
  },
  {
    id: "L-41",
    rule: "Each finished task has a verifier; it can send work back, but not pass what a gate refuses.",
    kind: "gate",
    by: "pipelines/ledger/rules.ts#VERIFIED",
  },
  {
    id: "L-42",
    rule: "Sub-waves wait for each other; a replan repeats only what was not accepted, and what is new.",
    kind: "policy",
    by: "pipelines/ledger/verification.ts#replan",
  },
  {
    id: "L-43",
    rule: "Before code review every check runs once on everything together; a red one is below threshold.",
    kind: "gate",
    by: "pipelines/ledger/rules.ts#INTEGRATED",
  },
  {
    id: "L-46",
    rule: "The commit's id is recorded, and the rollback names it.",
    kind: "code",
    by: "pipelines/ledger/artifacts.ts#rollbackOf",
  },
  {
    id: "L-47",
    rule: "Low confidence is done, not committed, with a reason, and leaves with 7.",
    kind: "policy",
    by: "core/end.ts#exitOfEnd",
  },
  {
    id: "L-49",
    rule: "A telemetry row has its ten columns, and tells a timeout from another error.",
    kind: "code",
    by: "engine/verbs/telemetry.ts#telemetryStatus",
  },
  {
    id: "L-50",
    rule: "The engine writes the evidence bundle, whether or not an agent looked back.",
    kind: "code",
    by: "pipelines/ledger/index.ts#ledger",
  },
  {
    id: "L-51",
    rule: "A fix that fails its verification is not reviewed and has spent its round.",
    kind: "policy",
    by: "pipelines/ledger/code-review.ts#codeReview",
  },
  {
    id: "L-52",
    rule: "A task is compared with the tree it starts from; a check that was red there and is no worse counts neither way.",
    kind: "policy",
    by: "core/evidence/outcome.ts#outcomeOf",
  },
  {
    id: "L-53",
    rule: "The engine's own checks count beside a green command of the project; a project without any is stopped first, and checks that a plan lacks are asked about.",
    kind: "gate",
    by: "pipelines/ledger/rules.ts#EG_2",
  },
  {
    id: "L-54",
    rule: "The third round begins without what the failed tasks left, and with what was accepted.",
    kind: "policy",
    by: "pipelines/ledger/verification.ts#implementAndVerify",
  },
];
