import { table } from "../../surfaces/terminal/table.ts";
import type { Call } from "../call.ts";
import { examine, type Symptom } from "../examination.ts";

const GLYPHS = { fine: "✓", missing: "✗", note: "!" } as const;

/** What a run needs and whether it is there, with the line that gets what is not. */
export async function doctor(call: Call): Promise<number> {
  const symptoms = await examine(call);
  const ready = symptoms.every(({ state }) => state !== "missing");
  if (call.json) call.emit({ v: 1, ready, checks: symptoms });
  else {
    for (const line of linesOf(call, symptoms)) call.print(line);
    call.print(
      ready ? `${call.paint.green("✓")} a run could start here` : `${call.paint.red("✗")} a run could not start yet`,
    );
  }
  return ready ? 0 : 4;
}

function linesOf({ paint }: Call, symptoms: readonly Symptom[]): readonly string[] {
  const colour = { fine: paint.green, missing: paint.red, note: paint.yellow };
  const rows = symptoms.map(({ what, state, says }) => [
    { text: GLYPHS[state], painted: colour[state](GLYPHS[state]) },
    { text: what, painted: paint.bold(what) },
    { text: says },
  ]);
  const lines = table(rows, 2);
  const indent = " ".repeat(Math.max(...symptoms.map(({ what }) => what.length)) + 5);
  return symptoms.flatMap(({ get, what }, at) => {
    const before = symptoms[at - 1]?.what === what;
    const line = before ? (lines[at] ?? "").replace(paint.bold(what), " ".repeat(what.length)) : (lines[at] ?? "");
    return get === undefined ? [line] : [line, `${indent}${paint.dim("get it:")} ${paint.cyan(get)}`];
  });
}
