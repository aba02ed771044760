/** One rule made permissive: the text must occur exactly once in the file. */
export type Break = { readonly file: string; readonly from: string; readonly to: string };

/** By the id of the rule. */
export type Breaks = Readonly<Record<string, Break>>;
