import { z } from "zod";
import type { OfferedTool } from "./play.ts";

/** JSON schema of a tool's arguments, as far as a script needs it for a call. */
export const ToolSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});

export function toolWith(name: string, schema: z.infer<typeof ToolSchema> | undefined): OfferedTool {
  const { properties = {}, required = [] } = schema ?? {};
  return { name, custom: false, parameters: Object.keys(properties), required };
}
