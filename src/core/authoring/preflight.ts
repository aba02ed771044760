/** The heading of what the engine does before the pipeline begins; no pipeline declares it. */
export const PREFLIGHT = "Preflight";
