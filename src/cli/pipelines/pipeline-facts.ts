import { z } from "zod";
import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { isSqlRule } from "../../core/authoring/rule.ts";
import { describeFields, type InputField } from "./describe-fields.ts";
import { describeRetry } from "./describe-retry.ts";

type Phase = { readonly title: string; readonly roles: readonly string[]; readonly next: readonly string[] };

/** Facts about a pipeline that are known without running it. */
export type PipelineFacts = {
  readonly name: string;
  readonly about: string;
  readonly version: number;
  readonly from: string;
  readonly cap: number;
  readonly dialect: string;
  readonly retry: string;
  readonly loops: Readonly<Record<string, number>>;
  readonly phases: readonly Phase[];
  readonly roles: readonly { role: string; does: string; writes: boolean; signed: boolean }[];
  readonly gates: readonly { id: string; because: string; kind: "sql" | "value" }[];
  /** The input as JSON Schema, and its fields described in words. */
  readonly input: object;
  readonly fields: readonly InputField[];
  readonly policy?: { readonly file: string; readonly knobs: readonly InputField[] };
  readonly artifacts: readonly { name: string; path: string; schema: string }[];
  /** Rules that the pipeline guarantees: a sentence, and the declaration that enforces it. */
  readonly rules: readonly { id: string; rule: string; kind: string; by: string }[];
};

export async function collectPipelineFacts({
  pipeline,
  from,
}: {
  pipeline: Pipeline;
  from: string;
}): Promise<PipelineFacts> {
  const { name, does: about, version, cap, dialect, policy } = pipeline;
  return {
    name,
    about,
    version,
    from,
    cap,
    dialect,
    retry: describeRetry(pipeline.retry),
    phases: listPipelinePhases(pipeline),
    roles: pipeline.roles.map(({ name: role, does, writes, signed }) => ({ role, does, writes, signed })),
    input: toJsonSchema(pipeline.input),
    fields: describeFields(toJsonSchema(pipeline.input)),
    ...(policy ? { policy: { file: policy.file, knobs: describeFields(toJsonSchema(policy.schema)) } } : {}),
    loops: pipeline.loops ?? {},
    ...(await loadPublishedFacts(from === "built in" ? name : "")),
  };
}

export function listPipelinePhases(pipeline: Pipeline): readonly Phase[] {
  return pipeline.phases.map(({ title, roles = [], next }, at) => ({
    title,
    roles: roles.map((role) => role.name),
    next: next ?? pipeline.phases.slice(at + 1, at + 2).map((phase) => phase.title),
  }));
}

/** Loads gates, artifacts and rules, which are documented for built-in pipelines only. */
async function loadPublishedFacts(name: string): Promise<Pick<PipelineFacts, "gates" | "artifacts" | "rules">> {
  const [{ RULE_BOOK }, { ARTIFACTS, schemaFile }, { default: rules }] = await Promise.all([
    import("../../pipelines/rule-book.ts"),
    import("../../pipelines/artifacts.ts"),
    import("../../pipelines/rules.json", { with: { type: "json" } }),
  ]);
  const promised: Readonly<Record<string, PipelineFacts["rules"]>> = rules;
  return {
    gates: (RULE_BOOK[name] ?? []).map((rule) => ({
      id: rule.id,
      because: rule.because,
      kind: isSqlRule(rule) ? "sql" : "value",
    })),
    artifacts: (ARTIFACTS[name] ?? []).map((artifact) => ({
      name: artifact.name,
      path: artifact.path,
      schema: `signalbox/schemas/${schemaFile(name, artifact.name)}`,
    })),
    rules: promised[name] ?? [],
  };
}

export function toJsonSchema(schema: z.ZodType) {
  return z.toJSONSchema(schema, { unrepresentable: "any", io: "input" });
}
