import { z } from "zod";
import type { Collector } from "../../surfaces/telemetry/exporter.ts";
import { isAddress } from "../notify/webhook-config.ts";

/** `on` reads the collector from the standard OpenTelemetry variables. Without this setting nothing is sent. */
export const Telemetry = z.union([
  z.boolean(),
  z.enum(["on", "off"]),
  z.strictObject({
    otlp: z.string().refine(isAddress, "must be an https:// URL without a password (http:// only for localhost)"),
  }),
]);
export type ConfiguredTelemetry = z.infer<typeof Telemetry>;

/**
 * Returns the collector; undefined if telemetry is off. Headers from the environment are sent only to the collector
 * from the environment.
 */
export function resolveCollector(
  configured: ConfiguredTelemetry | undefined,
  env: NodeJS.ProcessEnv,
): Collector | undefined {
  if (typeof configured === "object") return { endpoint: configured.otlp, headers: {} };
  if (configured !== true && configured !== "on") return undefined;
  const endpoint = env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  if (!endpoint || !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? "")) return undefined;
  return { endpoint, headers: parseHeaders(env["OTEL_EXPORTER_OTLP_HEADERS"] ?? "") };
}

/** Parses `name=value,name=value` with percent-encoded values. */
function parseHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").flatMap((pair) => {
    const [name = "", ...value] = pair.trim().split("=");
    return /^[\w-]+$/.test(name) && value.length > 0 ? [[name, decodeValue(value.join("="))] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function decodeValue(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
