// Exports for copies of built-in pipelines that a repository keeps as its own. `signalbox` exports what a pipeline
// itself needs; these are its helpers.
export { Announcement, type SourcedAnnouncement } from "./core/authoring/announcement.ts";
export { type Brief, briefOf, filesSection, type Section } from "./core/authoring/brief.ts";
export type { Decision } from "./core/authoring/decision.ts";
export type { End } from "./core/authoring/end.ts";
export { Finding, SEVERITIES } from "./core/authoring/finding.ts";
export type { Change, FileContent, Head } from "./core/authoring/observations.ts";
export { definePipeline, type Pipeline } from "./core/authoring/pipeline.ts";
export { never, once, orRest, type Retry, upTo } from "./core/authoring/retry.ts";
export { type DispatchAbout, defineRole, type Role } from "./core/authoring/role.ts";
export { type Judgement, type Rule, sqlRule, type ValueRule, valueRule } from "./core/authoring/rule.ts";
export type { Tree } from "./core/authoring/tree.ts";
export type {
  Answer,
  Answered,
  Check,
  CheckOptions,
  CommitOptions,
  Committed,
  DispatchOptions,
  Evidence,
  LoopEnd,
  SentBack,
  Verbs,
} from "./core/authoring/verbs.ts";
export { waves } from "./core/authoring/waves.ts";
export { detectCommands } from "./core/checks/detect/detect-commands.ts";
export { isTestWork } from "./core/checks/exam/exam-path.ts";
export { matchesAny } from "./core/checks/guard/glob.ts";
export { TEST_FILES } from "./core/checks/guard/test-files.ts";
export { CHECK_OUTCOMES } from "./core/checks/outcome/outcome.ts";
export { withoutTimes } from "./core/checks/outcome/without-times.ts";
export { asMeant } from "./core/contract/adapt-value.ts";
export { withoutSigned } from "./core/contract/hide-signatures.ts";
export { problemsOf, show, WHOLE } from "./core/contract/problem.ts";
export { shapeOf } from "./core/contract/shape.ts";
export { SignalboxError } from "./core/failure/errors.ts";
export type { Failure, Outcome } from "./core/failure/failure.ts";
export type { LedgerRow } from "./core/journal/ledger.ts";
export { counted } from "./core/text/count.ts";
export { canonical, type Json } from "./core/text/json.ts";
export { readYaml } from "./core/text/outside-yaml.ts";
export { withoutTrailers } from "./core/text/trailers.ts";
export { yamlText } from "./core/text/yaml-text.ts";
