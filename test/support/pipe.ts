import { z } from "zod";
import type { End } from "../../src/core/authoring/end.ts";
import { definePipeline, type Pipeline, type PipelineSpec } from "../../src/core/authoring/pipeline.ts";
import type { Role } from "../../src/core/authoring/role.ts";
import type { Verbs } from "../../src/core/authoring/verbs.ts";

export type Body = (verbs: Verbs<unknown>) => Promise<End>;

/** A test pipeline with one heading and this body. */
export const pipe = (body: Body, spec: Partial<PipelineSpec<unknown>> = {}): Pipeline =>
  definePipeline(
    {
      name: "small",
      does: "a test",
      input: z.unknown(),
      phases: [{ title: "1 Work" }],
      ...spec,
    },
    body,
  );

/** Creates a pipeline for tests that execute attempts and use only its roles. */
export const pipeWith = (
  roles: readonly Role<unknown, unknown, boolean>[],
  spec: Partial<PipelineSpec<unknown>> = {},
): Pipeline => pipe(async () => ({ status: "done" }), { phases: [{ title: "1 Work", roles }], ...spec });
