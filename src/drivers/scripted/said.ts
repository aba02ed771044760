import { z } from "zod";
import type { AgentEvent } from "../../core/ports/driver.ts";

const Said = z.discriminatedUnion("said", [
  z.object({ said: z.literal("tool"), name: z.string(), detail: z.string() }),
  z.object({ said: z.literal("throttled"), message: z.string() }),
  z.object({ said: z.literal("answer"), text: z.string() }),
]);

/** What a line of a scripted agent says to people. Whoever else prints such a line is read as strictly as anybody. */
export function eventsSaid(line: string): readonly AgentEvent[] {
  const said = line.startsWith('{"said":') ? Said.safeParse(jsonOf(line)).data : undefined;
  if (said === undefined) return [];
  if (said.said === "answer") return [{ type: "message.added", text: said.text }];
  if (said.said === "throttled") return [{ type: "turn.throttled", message: said.message }];
  return [{ type: "tool.used", name: said.name, detail: said.detail }];
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
