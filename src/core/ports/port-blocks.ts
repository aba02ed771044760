/** TCP ports `base` to `base + size - 1` of this machine's loopback. */
export type PortBlock = { readonly base: number; release(): void };

/**
 * Contract: blocks that are held at the same time do not overlap, also among engines of one machine; a block is given
 * back with `release` or with the end of the process that holds it, whichever comes first.
 */
export interface PortBlocks {
  /** The same wish leads to the same block where that one is free; undefined where none is left. */
  take(wish: string): Promise<PortBlock | undefined>;
}
