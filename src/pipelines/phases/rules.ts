/** All gate rules of this pipeline. */
export { COMPLETE_RULES, COMPLETION_RULES, HIGH_RISK_RULE, PREFLECT_RULES } from "./acting/acting-rules.ts";
export { PLAN_REVIEW_RULE } from "./planning/plan-review-rules.ts";
export { PLAN_RULES } from "./planning/plan-rules.ts";
export { LOCAL_REPLAN_RULE } from "./planning/replan.ts";
