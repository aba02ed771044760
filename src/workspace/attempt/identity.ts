import type { Identity } from "../../core/journal/identity.ts";

/** Fixed, so that the commit an agent starts from depends only on its trees. */
export const NEUTRAL_IDENTITY = {
  GIT_AUTHOR_NAME: "Signalbox",
  GIT_AUTHOR_EMAIL: "signalbox@localhost",
  GIT_AUTHOR_DATE: "@0 +0000",
  GIT_COMMITTER_NAME: "Signalbox",
  GIT_COMMITTER_EMAIL: "signalbox@localhost",
  GIT_COMMITTER_DATE: "@0 +0000",
} as const;

/** The given identity, or the neutral one, at a time in milliseconds. */
export function createIdentity(date: number, identity?: Identity): Record<string, string> {
  const at = `@${Math.floor(date / 1000)} +0000`;
  const names = identity && {
    GIT_AUTHOR_NAME: identity.author.name,
    GIT_AUTHOR_EMAIL: identity.author.email,
    GIT_COMMITTER_NAME: identity.committer.name,
    GIT_COMMITTER_EMAIL: identity.committer.email,
  };
  return { ...NEUTRAL_IDENTITY, ...names, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
}
