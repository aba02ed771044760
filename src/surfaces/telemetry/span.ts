import { hash } from "node:crypto";

export type Attribute = string | number | boolean | undefined;

/** Something that has ended, with its place in the trace of its run. Times in milliseconds. */
export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, Attribute>>;
  /** The kind of failure; nothing where there was none. */
  readonly error?: string | undefined;
};

/** Made of the run and the key alone: an engine that takes over goes on with the same trace. */
export const traceIdOf = (run: string): string => hash("sha256", `trace ${run}`).slice(0, 32);
export const spanIdOf = (run: string, place: string): string => hash("sha256", `span ${run} ${place}`).slice(0, 16);
