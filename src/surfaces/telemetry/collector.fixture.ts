import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Value = { readonly stringValue?: string; readonly intValue?: string; readonly doubleValue?: number };
type Attributes = readonly { readonly key: string; readonly value: Value }[];
export type SeenSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Attributes;
  readonly status?: { readonly code: number; readonly message: string };
};
export type SeenMetric = { readonly name: string; readonly histogram?: object; readonly sum?: object };

/** A local collector that stores requests, also as text. `answers` selects its response, or none. */
export async function startCollector(answers: () => number | undefined = () => 200) {
  const bodies: { path: string; text: string; headers: Readonly<Record<string, unknown>> }[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += String(chunk);
    });
    request.on("end", () => {
      bodies.push({ path: request.url ?? "", text, headers: request.headers });
      const status = answers();
      if (status !== undefined) response.writeHead(status).end("{}");
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  // A listening server has a port.
  const { port } = server.address() as AddressInfo;
  const parsed = (path: string) => bodies.filter((body) => body.path === path).map(({ text }) => JSON.parse(text));
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bodies,
    spans: (): readonly SeenSpan[] =>
      parsed("/v1/traces").flatMap((body) => body.resourceSpans[0].scopeSpans[0].spans as SeenSpan[]),
    metrics: (): readonly SeenMetric[] =>
      parsed("/v1/metrics").flatMap((body) => body.resourceMetrics[0].scopeMetrics[0].metrics as SeenMetric[]),
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
