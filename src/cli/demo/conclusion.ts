import type { Call } from "../call.ts";
import type { Stage } from "./stage.ts";
import { storyOf } from "./story.ts";
import { summaryLines } from "./summary.ts";

/** After a run that came to its end: its chain, and the story in a few counts. */
export async function conclude(call: Call, stage: Stage, exit: number): Promise<number> {
  await stage.lower();
  if (exit === 0) {
    stage.say("Was a record changed afterwards? They are a chain of hashes, and git holds its end:");
    await stage.show(["evidence", "--verify"]);
    await stage.pause();
    const story = storyOf(stage.records);
    stage.note("told", story);
    stage.say("What you saw, counted from the journal:");
    for (const line of summaryLines(story)) stage.line(line);
  }
  stage.close();
  if (exit === 0)
    stage.line(
      `\n  In a repository of your own: ${call.paint.cyan("signalbox init")}; all your runs in a browser: ${call.paint.cyan("signalbox ui")}`,
    );
  return exit;
}
