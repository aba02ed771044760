import { describe, expect, it } from "vitest";
import { groupByApproval } from "../acting/approvals.ts";
import { Policy } from "../policy.ts";
import { APPROVAL_ACTIONS } from "./actions.ts";
import { createPhase } from "./plan.fixture.ts";
import { Phase } from "./plan.ts";
import { listRisks } from "./risks.ts";

const policy = Policy.parse({});
const risks = (more: object, lines = policy) => listRisks(Phase.parse(createPhase(1, more)), lines);

describe("what a person confirms in any mode", () => {
  it("[P-52] ordinary work needs no confirmation", () => {
    expect(risks({ steps: ["Write a test", "Remove the unused import", "Merge the two helpers"] })).toEqual([]);
  });

  it.each([
    ["destructive_file_delete", "Delete the old migration files"],
    ["bulk_contract_rewrite", "Rewrite all contracts of the service"],
    ["git_force_push", "Publish it with git push --force"],
    ["git_reset_hard", "Go back with git reset --hard HEAD~1"],
    ["drop_table", "Drop the users table"],
    ["rm_rf", "Clean up with rm -rf build"],
    ["amend_published_commit", "Amend the published commit"],
    ["merge_to_protected_branch", "Merge the work into main"],
    ["push_to_shared_infrastructure", "Deploy it to production"],
  ])("[P-52] %s is detected if a step names it", (action, step) => {
    expect(risks({ steps: [step] })).toEqual([action]);
  });

  it.each(APPROVAL_ACTIONS)("[P-52] %s is detected if a phase declares it or writes its name", (action) => {
    expect(risks({ approval_actions: [action] })).toEqual([action]);
    expect(risks({ objective: `needs ${action}` })).toEqual([action]);
  });

  it("[P-52] an action that the policy does not list needs no confirmation", () => {
    const lenient = Policy.parse({ approval_required_actions: ["rm_rf"] });
    expect(risks({ steps: ["Drop the users table"], approval_actions: ["drop_table"] }, lenient)).toEqual([]);
  });

  it.each(["This is irreversible", "It may cause data loss", "It has broad side effects"])(
    "[P-52] possible loss is detected: %s",
    (objective) => {
      expect(risks({ objective })).toEqual(["destructive"]);
    },
  );

  it("[P-52] an action that a plan rules out needs no confirmation", () => {
    expect(risks({ steps: ["Never delete files", "Migrate without data loss", "Do not force-push"] })).toEqual([]);
  });

  it("[P-20] a phase that declares itself destructive is", () => {
    expect(risks({ destructive: true })).toEqual(["destructive"]);
  });

  it("[P-34] a wave is one question, and one per phase if any is destructive or touches production", () => {
    const wave = (more: object) =>
      groupByApproval([Phase.parse(createPhase(1)), Phase.parse(createPhase(2, more))], { policy });
    expect(wave({}).map((group) => group.length)).toEqual([2]);
    expect(wave({ destructive: true }).map((group) => group.length)).toEqual([1, 1]);
    expect(wave({ production: true }).map((group) => group.length)).toEqual([1, 1]);
  });
});
