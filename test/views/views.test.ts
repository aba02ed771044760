import { expect, test } from "vitest";
import { indexHistory } from "../../src/engine/replay/history.ts";
import { createNarrator } from "../../src/surfaces/terminal/narrator.ts";
import { PLAIN } from "../../src/surfaces/terminal/paint.ts";
import { createRunView, foldRunView } from "../../src/views/run-view.ts";
import { play } from "../simulator/schedule.ts";
import { definedView } from "./defined-view.ts";

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

test("a view updated record by record matches its definition, wherever a simulated journal is cut", async () => {
  for (const seed of SEEDS) {
    const { records } = await play({ seed });
    const fold = createRunView();
    for (const [at, record] of records.entries()) {
      fold.take(record);
      // Testing every cut of every journal would take minutes, so each journal has other cuts.
      if (at % 17 !== seed % 17 && at !== records.length - 1) continue;
      const upTo = records.slice(0, at + 1);
      const { resting, workedMs, ...view } = fold.view();
      expect(view, `seed ${seed}, record ${record.seq}`).toEqual(definedView(upTo));
      expect(workedMs).toBe(indexHistory(upTo).workedMs);
      expect(resting).toEqual(foldRunView(upTo).resting);
    }
  }
});

test("the summary of a run is the same, however much of it was only recalled", async () => {
  for (const seed of SEEDS.slice(0, 5)) {
    const { records } = await play({ seed });
    const [last] = records.slice(-1);
    const whole = createNarrator(PLAIN);
    const told = records.map((record) => whole.tell(record)).at(-1);
    const resumed = createNarrator(PLAIN);
    for (const record of records.slice(0, -1)) resumed.recall(record);
    expect(last && resumed.tell(last)).toEqual(told);
  }
});
