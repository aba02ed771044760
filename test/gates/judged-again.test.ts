import { expect, test } from "vitest";
import { judgeAgain } from "../../src/cli/inspect/judge-again.ts";
import { ledgerThen } from "../../src/cli/inspect/ledger-then.ts";
import { gatesGiven } from "../../src/cli/inspect/rules.ts";
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
  const given = await gatesGiven({ records, pipeline, world: quickWorld() });
  const then = ledgerThen(records);
  const known = { given, byId: new Map() };
  const evaluations = [];
  for (const record of records) {
    if (record.type === "gate.evaluated") evaluations.push(await judgeAgain({ record, known, then }));
  }
  expect(evaluations.length).toBeGreaterThan(2);
  expect(evaluations.filter(({ agrees }) => agrees !== true)).toEqual([]);
});
