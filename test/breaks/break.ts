/** One rule made permissive: the text must occur exactly once in the file. */
export type Mutant = { readonly file: string; readonly from: string; readonly to: string };

/** Keyed by the id of the rule. */
export type Mutants = Readonly<Record<string, Mutant>>;
