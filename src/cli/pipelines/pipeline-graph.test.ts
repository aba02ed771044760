import { expect, test } from "vitest";
import { createPhases as movesOf } from "../../core/authoring/phases.ts";
import { renderMermaid } from "./pipeline-graph.ts";
import { loadBuiltInPipelines } from "./pipelines.ts";

test.each(await loadBuiltInPipelines())(
  "the graph of $pipeline.name has every phase and exactly the moves that the engine allows",
  ({ pipeline }) => {
    const lines = renderMermaid(pipeline).split("\n");
    const titles = lines.flatMap((line) => /^ {2}p\d+\["(.*?)(?:<br\/>.*)?"\]$/.exec(line)?.[1] ?? []);
    expect(titles).toEqual(pipeline.phases.map((phase) => phase.title));

    const drawn = lines.flatMap((line) => {
      const [, from, to] = /^ {2}p(\d+) --> p(\d+)$/.exec(line) ?? [];
      return from === undefined ? [] : [`${titles[Number(from)]} → ${titles[Number(to)]}`];
    });
    const { mayFollow } = movesOf(pipeline.name, pipeline.phases);
    const allowed = titles.flatMap((from) =>
      titles
        .filter((to) => from !== to && isAllowed(() => mayFollow(from, to, new Set())))
        .map((to) => `${from} → ${to}`),
    );
    expect(new Set(drawn.filter((move) => !isRepetition(move)))).toEqual(new Set(allowed));
  },
);

const isRepetition = (move: string): boolean => new Set(move.split(" → ")).size === 1;

function isAllowed(move: () => void): boolean {
  try {
    move();
    return true;
  } catch {
    return false;
  }
}
