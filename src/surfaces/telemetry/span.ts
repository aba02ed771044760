import { hash } from "node:crypto";

export type Attribute = string | number | boolean | undefined;

/** An ended operation and its position in the trace of its run. Times are in milliseconds. */
export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, Attribute>>;
  /** The kind of failure; undefined on success. */
  readonly error?: string | undefined;
};

/** Derives the id from the run alone, so that an engine that takes over continues the same trace. */
export const computeTraceId = (run: string): string => hash("sha256", `trace ${run}`).slice(0, 32);
export const computeSpanId = (run: string, place: string): string =>
  hash("sha256", `span ${run} ${place}`).slice(0, 16);
