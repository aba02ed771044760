import type { StreamMessage } from "../../src/surfaces/server/port/answers.ts";
import type { LiveStatus, Wanted } from "./stream.ts";

/** What tabs and the worker that holds their one connection say to each other. */
export type ToWorker =
  | { readonly kind: "want"; readonly token: string; readonly wanted: Wanted }
  | { readonly kind: "retry" }
  | { readonly kind: "bye" };

export type FromWorker =
  | { readonly kind: "message"; readonly message: StreamMessage }
  | { readonly kind: "status"; readonly status: LiveStatus };
