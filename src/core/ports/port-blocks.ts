/** TCP ports `base` to `base + size - 1` of this machine's loopback interface. */
export type PortBlock = { readonly base: number; release(): void };

/**
 * Reserves port blocks.
 *
 * Contract: blocks that are held at the same time do not overlap, also among the engines of one machine; a block is
 * released by `release` or by the end of the process that holds it, whichever comes first.
 */
export interface PortBlocks {
  /** Returns the same block for the same wish if that block is free; undefined if no block is left. */
  take(wish: string): Promise<PortBlock | undefined>;
}
