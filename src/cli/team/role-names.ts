import type { Host, PostedSignal } from "../../core/ports/host.ts";

/** Wraps the inbox of a store that authenticates senders: the authenticated role replaces the name in the message. */
export function applyRoleNames({ unread, ...inbox }: Host["inbox"]): Host["inbox"] {
  return { ...inbox, unread: async (run) => (await unread(run)).map(applyRoleName) };
}

export function applyRoleName(posted: PostedSignal): PostedSignal {
  const { letter, role } = posted;
  // A suffix such as `through the dashboard` is kept.
  if (role === undefined || letter.by.startsWith(`${role} through `)) return posted;
  return { ...posted, letter: { ...letter, by: role } };
}
