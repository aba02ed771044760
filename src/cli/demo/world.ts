import type { Json } from "../../core/text/json.ts";

/** A run of a pipeline by the real program: a small repository, scripted agents, and how it ends. */
export type RealWorld = {
  readonly pipeline: string;
  /** After `run <pipeline>`: the request and `--input` options. */
  readonly args: readonly string[];
  /** The repository's committed files. */
  readonly files: Readonly<Record<string, string>>;
  /** `.signalbox/config.yaml`. */
  readonly config: string;
  /** The `agents:` list of a scripted-agents file. */
  readonly agents: readonly Json[];
  readonly ends: { readonly status: string; readonly exit: number; readonly commits: number };
  /** Files of the last commit that must be the same whatever happened on the way. */
  readonly keeps: readonly string[];
};
