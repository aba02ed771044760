import { expect, test } from "vitest";
import { collectGateInputs } from "../../src/cli/inspect/known-rules.ts";
import { createPastLedger } from "../../src/cli/inspect/past-ledger.ts";
import { reevaluate } from "../../src/cli/inspect/reevaluate.ts";
import type { Pipeline } from "../../src/core/authoring/pipeline.ts";
import * as clusters from "../clusters/paper.ts";
import * as ledger from "../ledger/paper.ts";
import * as phases from "../phases/paper.ts";
import * as roadmap from "../roadmap/paper.ts";
import type { PlayedRun } from "../support/played.ts";
import { quickWorld } from "../support/stage.ts";
import * as ticket from "../ticket/paper.ts";

type Paper = { readonly pipeline: Pipeline; play(): Promise<PlayedRun> };
const PAPERS: readonly [string, Paper][] = Object.entries({ roadmap, phases, ledger, clusters, ticket });

test.each(PAPERS)("%s: every rule of an untouched run is judged the same again", async (_name, { pipeline, play }) => {
  const { records } = await play();
  const given = await collectGateInputs({ records, pipeline, world: quickWorld() });
  const then = createPastLedger(records);
  const known = { given, byId: new Map() };
  const evaluations = [];
  for (const record of records) {
    if (record.type === "gate.evaluated") evaluations.push(await reevaluate({ record, known, then }));
  }
  expect(evaluations.length).toBeGreaterThan(2);
  expect(evaluations.filter(({ agrees }) => agrees !== true)).toEqual([]);
});
