import type { Call } from "../call.ts";
import { summarizeDemo } from "./demo-summary.ts";
import type { Stage } from "./stage.ts";
import { formatDemoSummary } from "./summary-lines.ts";

/** Ends the demo: verifies the hash chain and prints counts of what happened. */
export async function concludeDemo(call: Call, stage: Stage, exit: number): Promise<number> {
  await stage.lower();
  if (exit === 0) {
    stage.say("Was any record changed afterwards? Records form a hash chain, and git stores its end:");
    await stage.show(["evidence", "--verify"]);
    await stage.pause();
    const story = summarizeDemo(stage.records);
    stage.note("told", story);
    stage.say("Summary, counted from the journal:");
    for (const line of formatDemoSummary(story)) stage.line(line);
  }
  stage.close();
  if (exit === 0)
    stage.line(
      `\n  Use it in your own repository: ${call.paint.cyan("signalbox init")}. See all runs in a browser: ${call.paint.cyan("signalbox ui")}`,
    );
  return exit;
}
