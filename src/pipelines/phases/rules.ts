/** Every rule that a gate of this pipeline asks. */
export { COMPLETE, HIGH_RISK, LOCAL, PREFLECT, WHOLE } from "./acting-rules.ts";
export { PLAN_REVIEW } from "./audit.ts";
export { PLAN } from "./plan-rules.ts";
