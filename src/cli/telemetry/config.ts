import { z } from "zod";
import type { Collector } from "../../surfaces/telemetry/exporter.ts";
import { isAddress } from "../notify/webhook-config.ts";

/** `on` takes the collector from the environment, as other programs do; without a word of ours nothing is sent. */
export const Telemetry = z.union([
  z.boolean(),
  z.enum(["on", "off"]),
  z.strictObject({
    otlp: z.string().refine(isAddress, "write an https:// address without a password; http:// only for this machine"),
  }),
]);
export type ConfiguredTelemetry = z.infer<typeof Telemetry>;

/** Where to; undefined where nobody has asked for it. Headers of the environment go to its own collector alone. */
export function collectorFor(said: ConfiguredTelemetry | undefined, env: NodeJS.ProcessEnv): Collector | undefined {
  if (typeof said === "object") return { endpoint: said.otlp, headers: {} };
  if (said !== true && said !== "on") return undefined;
  const endpoint = env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  if (!endpoint || !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? "")) return undefined;
  return { endpoint, headers: headersIn(env["OTEL_EXPORTER_OTLP_HEADERS"] ?? "") };
}

/** `name=value,name=value`, values encoded as in an address. */
function headersIn(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").flatMap((pair) => {
    const [name = "", ...value] = pair.trim().split("=");
    return /^[\w-]+$/.test(name) && value.length > 0 ? [[name, decoded(value.join("="))] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
