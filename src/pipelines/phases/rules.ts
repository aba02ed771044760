/** All gate rules of this pipeline. */
export { COMPLETE, HIGH_RISK, PREFLECT, WHOLE } from "./acting/acting-rules.ts";
export { PLAN_REVIEW } from "./planning/plan-review-rules.ts";
export { PLAN } from "./planning/plan-rules.ts";
export { LOCAL } from "./planning/replan.ts";
