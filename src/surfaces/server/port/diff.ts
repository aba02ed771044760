import type { ChangedFile } from "../../../core/ports/workspace.ts";

/** A change of a repository's content, file by file. */
export type Diff = { readonly from: string; readonly to: string; readonly files: readonly FileDiff[] };

export type FileDiff = ChangedFile & {
  readonly hunks?: readonly Hunk[];
  /** Its lines are left out; asking for this path alone gives them. */
  readonly tooLarge?: true;
};

export type Hunk = {
  readonly header: string;
  readonly oldStart: number;
  readonly newStart: number;
  /** Each with the sign that it begins with. */
  readonly lines: readonly string[];
};
