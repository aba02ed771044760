import type { Host, PostedSignal } from "../../core/ports/host.ts";

/** The letters of a store that knows who posted them: that is his name, whatever name he gave himself. */
export function nameByRole({ unread, ...inbox }: Host["inbox"]): Host["inbox"] {
  return { ...inbox, unread: async (run) => (await unread(run)).map(named) };
}

export function named(posted: PostedSignal): PostedSignal {
  const { letter, role } = posted;
  // By way of what he said it is his to add.
  if (role === undefined || letter.by.startsWith(`${role} through `)) return posted;
  return { ...posted, letter: { ...letter, by: role } };
}
