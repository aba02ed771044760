import type { Json } from "../../../src/core/json.ts";
import type { Entry } from "../entry.ts";
import { projects } from "../projects/all.ts";
import { actionsOf, announcedOf, announcementsOf, changeOf, claimedOf, type MakeCast, plannedOf } from "./cast.ts";

type Fields = { readonly [name: string]: Json };

const said = (agent: string, fields: Fields): Fields => ({
  agent,
  confidence: 0.97,
  abstain: { is_abstaining: false, reasons: [] },
  ...fields,
});
const says = (role: string, fields: Fields): Json => ({ role, output: said(role, fields) });

const RISKS = ["data_volume", "performance", "concurrency", "access_control", "migration_rollback", "dependency"];

const planOf = (entry: Entry): Fields =>
  said("Planner", {
    status: "READY_FOR_EXECUTION",
    task_title: entry.request,
    summary: "One phase does it all.",
    phases: [
      {
        phase_id: 1,
        wave: 1,
        title: "Build it",
        objective: "It does what was asked for",
        executor_agent: "CoreImplementer",
        files: plannedOf(entry.work).map((path) => ({ path, action: actionOn(entry, path), reason: "asked for" })),
        tests: ["the suite passes", ...announcedOf(entry).map((name) => `changes: ${name}`)],
        steps: ["Write it", "Run the tests"],
        acceptance_criteria: ["the tests pass"],
        quality_gates: ["tests_pass"],
      },
    ],
    design_decisions: {
      choices: ["the smallest change"],
      boundaries: ["one module"],
      flow: ["whoever needs it imports it"],
      trade_offs: ["none"],
    },
    risk_review: [...RISKS, "operability"].map((category) => ({
      category,
      applicability: "not_applicable",
      impact: "LOW",
      disposition: "not_applicable",
    })),
    complexity_tier: "SMALL",
    announces: announcementsOf(entry),
  });

const actionOn = ({ project }: Entry, path: string): string => (path in projects[project].files ? "modify" : "create");

const doneTo = (entry: Entry, path: string): string =>
  changeOf(entry.work)[path] === null ? "delete" : actionOn(entry, path);

export const phases: MakeCast = (entry) => ({
  args: [entry.request],
  files: {},
  worker: "CoreImplementer",
  agents: [
    says("CodeMapper", { status: "COMPLETE", answer: "one folder of modules" }),
    says("Researcher", { status: "COMPLETE", scope_in: ["the sources"], scope_out: ["README.md"] }),
    { role: "Planner", output: planOf(entry) },
    says("PlanAuditor", { status: "APPROVED", scoring: { percentage: 95 } }),
    says("AssumptionVerifier", { status: "COMPLETE", scoring: { percentage: 95 } }),
    says("ExecutabilityVerifier", {
      status: "PASS",
      tasks_simulated: [{ task_id: "1", task_verdict: "EXECUTABLE" }],
    }),
    {
      role: "CoreImplementer",
      do: actionsOf(changeOf(entry.work), entry.work.run),
      output: said("CoreImplementer", {
        status: "COMPLETE",
        changes: claimedOf(entry.work).map((file) => ({ file, action: doneTo(entry, file), summary: "as planned" })),
        tests: { individual: "PASS", full_suite: "PASS", details: "23 passed, 0 failed" },
        build: { state: "PASS" },
        lint: { state: "PASS" },
        definition_of_done: { all_items_complete: true },
        summary: "Done as asked.",
      }),
    },
    says("CodeReviewer", { status: "APPROVED" }),
  ],
});
