import type { Host, PostedSignal } from "../../core/ports/host.ts";

/** Wraps the inbox of a store that authenticates senders: the authenticated role replaces the name in the message. */
export function nameByRole({ unread, ...inbox }: Host["inbox"]): Host["inbox"] {
  return { ...inbox, unread: async (run) => (await unread(run)).map(named) };
}

export function named(posted: PostedSignal): PostedSignal {
  const { letter, role } = posted;
  // A suffix such as `through the dashboard` is kept.
  if (role === undefined || letter.by.startsWith(`${role} through `)) return posted;
  return { ...posted, letter: { ...letter, by: role } };
}
