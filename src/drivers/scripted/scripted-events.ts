import { z } from "zod";
import type { AgentEvent } from "../../core/ports/driver.ts";

const ScriptedLine = z.discriminatedUnion("said", [
  z.object({ said: z.literal("tool"), name: z.string(), detail: z.string() }),
  z.object({ said: z.literal("throttled"), message: z.string() }),
  z.object({ said: z.literal("answer"), text: z.string() }),
]);

/** Returns the events of a scripted agent's line. Other programs may print such a line, so it is fully validated. */
export function parseEvents(line: string): readonly AgentEvent[] {
  const said = line.startsWith('{"said":') ? ScriptedLine.safeParse(parseScriptedJson(line)).data : undefined;
  if (said === undefined) return [];
  if (said.said === "answer") return [{ type: "message.added", text: said.text }];
  if (said.said === "throttled") return [{ type: "turn.throttled", message: said.message }];
  return [{ type: "tool.used", name: said.name, detail: said.detail }];
}

function parseScriptedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
