import type { Json } from "../../../src/core/text/json.ts";
import { actionsOf, announcedAs, changeOf, claimedOf, type MakeCast, type Plot, plannedOf } from "./cast.ts";

type Fields = { readonly [name: string]: Json };

const said = (agent: string, fields: Fields): Fields => ({
  agent,
  confidence: 0.97,
  abstain: { is_abstaining: false, reasons: [] },
  ...fields,
});
const says = (role: string, fields: Fields): Json => ({ role, output: said(role, fields) });

const RISKS = ["data_volume", "performance", "concurrency", "access_control", "migration_rollback", "dependency"];

const planOf = (plot: Plot): Fields =>
  said("Planner", {
    status: "READY_FOR_EXECUTION",
    task_title: plot.request,
    summary: "One phase does it all.",
    phases: [
      {
        phase_id: 1,
        wave: 1,
        title: "Build it",
        objective: "It does what was asked for",
        executor_agent: "CoreImplementer",
        files: plannedOf(plot.work).map((path) => ({ path, action: actionOn(plot, path), reason: "asked for" })),
        tests: ["the suite passes", ...plot.told.map((name) => `changes: ${name}`)],
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
    ...announcedAs("announces", plot),
  });

const actionOn = ({ files }: Plot, path: string): string => (path in files ? "modify" : "create");

const doneTo = (plot: Plot, path: string): string =>
  changeOf(plot.work)[path] === null ? "delete" : actionOn(plot, path);

export const phases: MakeCast = (plot) => ({
  args: [plot.request],
  files: {},
  worker: "CoreImplementer",
  agents: [
    says("CodeMapper", { status: "COMPLETE", answer: "one folder of modules" }),
    says("Researcher", { status: "COMPLETE", scope_in: ["the sources"], scope_out: ["README.md"] }),
    { role: "Planner", output: planOf(plot) },
    says("PlanAuditor", { status: "APPROVED", scoring: { percentage: 95 } }),
    says("AssumptionVerifier", { status: "COMPLETE", scoring: { percentage: 95 } }),
    says("ExecutabilityVerifier", {
      status: "PASS",
      tasks_simulated: [{ task_id: "1", task_verdict: "EXECUTABLE" }],
    }),
    {
      role: "CoreImplementer",
      do: actionsOf(changeOf(plot.work), plot.work.run),
      output: said("CoreImplementer", {
        status: "COMPLETE",
        changes: claimedOf(plot.work).map((file) => ({ file, action: doneTo(plot, file), summary: "as planned" })),
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
