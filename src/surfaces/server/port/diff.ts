import type { ChangedFile } from "../../../core/ports/workspace.ts";

/** The changes between two trees, file by file. */
export type Diff = { readonly from: string; readonly to: string; readonly files: readonly FileDiff[] };

export type FileDiff = ChangedFile & {
  readonly hunks?: readonly Hunk[];
  /** The hunks are omitted; request this path alone to get them. */
  readonly tooLarge?: true;
};

export type Hunk = {
  readonly header: string;
  readonly oldStart: number;
  readonly newStart: number;
  /** Each line starts with its diff sign. */
  readonly lines: readonly string[];
};
