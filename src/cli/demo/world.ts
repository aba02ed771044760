import type { Json } from "../../core/text/json.ts";

/** A pipeline run by the real program: repository, scripted agents and expected end. */
export type RealWorld = {
  readonly pipeline: string;
  /** Arguments after `run <pipeline>`: the request and `--input` options. */
  readonly args: readonly string[];
  /** Committed files of the repository. */
  readonly files: Readonly<Record<string, string>>;
  /** Content of `.signalbox/config.yaml`. */
  readonly config: string;
  /** Content of the `agents:` list of a scripted-agents file. */
  readonly agents: readonly Json[];
  readonly ends: { readonly status: string; readonly exit: number; readonly commits: number };
  /** Files of the last commit that must be identical whatever happened during the run. */
  readonly keeps: readonly string[];
};
