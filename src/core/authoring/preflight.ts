/** Title of the phase in which the engine checks prerequisites before the pipeline starts. No pipeline declares it. */
export const PREFLIGHT = "Preflight";
