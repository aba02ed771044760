import { describe, expect, it } from "vitest";
import { Policy } from "../policy.ts";
import { createPhase } from "./plan.fixture.ts";
import { Phase } from "./plan.ts";
import { listRisks } from "./risks.ts";

const policy = Policy.parse({});
/** A phase that declares itself not destructive. */
const risks = (more: object) => listRisks(Phase.parse(createPhase(1, { destructive: false, ...more })), policy);

const DANGEROUS = [
  ["drop_table", "Run TRUNCATE TABLE sessions before the import"],
  ["drop_table", "Apply `drop table users` on the old schema"],
  ["drop_table", "Execute DELETE FROM audit_log for entries of last year"],
  ["drop_table", "Reset the store with rails db:drop db:create"],
  ["drop_table", "Start over with npx prisma migrate reset"],
  ["push_to_shared_infrastructure", "Run terraform destroy on the old cluster"],
  ["push_to_shared_infrastructure", "Release it with npm publish"],
  ["push_to_shared_infrastructure", "Restart with kubectl delete pod api-0"],
  ["push_to_shared_infrastructure", "docker push registry.example/app:latest"],
  ["push_to_shared_infrastructure", "Roll it out with helm upgrade app ./chart"],
  ["rm_rf", "Clear the output with rm -rf dist"],
  ["rm_rf", "Tidy up with git clean -fdx"],
  ["destructive_file_delete", "Empty the bucket: aws s3 rm s3://backups --recursive"],
  ["git_force_push", "Update the branch with git push origin feature --force-with-lease"],
  ["git_reset_hard", "Go back with git reset --hard HEAD~3"],
  ["merge_to_protected_branch", "Finish with git push origin main"],
] as const;

const HARMLESS = [
  "Drop the table border in dark mode",
  "Remove the data attribute from the button",
  "Delete the file input component",
  "Truncate long titles with an ellipsis",
  "Publish the event to all subscribers on staging changes",
  "Push the item to the shared queue of the component",
  "Reset the form hard to its defaults",
  "Merge the options into the main configuration object",
  "Destroy the chart when the component unmounts",
  "Rewrite all schema examples of the guide",
  "Show a warning that this cannot be undone",
  "Force a re-render after the purge of the cache data",
];

describe("what the engine detects in a phase that declares itself harmless", () => {
  it.each(DANGEROUS)("[P-52] %s: %s", (action, step) => {
    expect(risks({ steps: [step] })).toEqual([action]);
  });

  it.each(HARMLESS)("[P-52] detects nothing: %s", (step) => {
    expect(risks({ steps: [step] })).toEqual([]);
  });

  it("[P-52] a command that the plan rules out, or a dry run, needs no confirmation", () => {
    expect(risks({ steps: ["Never use git push --force", "Check it with npm publish --dry-run"] })).toEqual([]);
  });

  it("[P-52] a migration whose name describes a removal is detected", () => {
    const file = (path: string) => risks({ files: [{ path, action: "create" }] });
    expect(file("db/migrations/0007_drop_users.sql")).toEqual(["drop_table"]);
    expect(file("db/migrations/0007_add_users.sql")).toEqual([]);
    expect(file("src/drop-down.ts")).toEqual([]);
  });
});

describe("a phase that does not declare whether it is destructive", () => {
  it("[P-52] is judged by its prose", () => {
    const { destructive, approval_actions } = Phase.parse(
      createPhase(1, { steps: ["Drop the users table, irreversibly"] }),
    );
    expect({ destructive, approval_actions }).toEqual({ destructive: true, approval_actions: ["drop_table"] });
  });
});
