import type { StreamMessage } from "../../src/surfaces/server/port/documents.ts";
import type { LiveStatus, Subscription } from "./stream.ts";

/** Messages between tabs and the worker that holds their shared connection. */
export type ToWorker =
  | { readonly kind: "want"; readonly token: string; readonly wanted: Subscription }
  | { readonly kind: "retry" }
  | { readonly kind: "bye" };

export type FromWorker =
  | { readonly kind: "message"; readonly message: StreamMessage }
  | { readonly kind: "status"; readonly status: LiveStatus };
