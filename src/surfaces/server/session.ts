import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const CODE_MS = 5 * 60_000;
/** Older codes expire when more are requested. */
const MAX_CODES = 20;

/** Authorizes clients that have the token, or that exchange a one-time code for it. */
export type Session = {
  isToken(given: string): boolean;
  newCode(): string;
  /** Returns the token, or undefined for a code that is unknown, expired or used. */
  exchange(code: string): string | undefined;
};

export function createSession({ token, now }: { readonly token: string; readonly now: () => number }): Session {
  const codes = new Map<string, number>();
  const expected = hash(token);
  return {
    isToken: (given) => timingSafeEqual(hash(given), expected),
    newCode() {
      const code = randomBytes(24).toString("base64url");
      codes.set(toKey(code), now() + CODE_MS);
      for (const oldest of [...codes.keys()].slice(0, -MAX_CODES)) codes.delete(oldest);
      return code;
    },
    exchange(code) {
      const until = codes.get(toKey(code));
      codes.delete(toKey(code));
      return until === undefined || until < now() ? undefined : token;
    },
  };
}

/** Digests have equal length, so comparing them takes constant time. */
function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Looks up codes by digest, so that the lookup time reveals nothing about the code. */
function toKey(code: string): string {
  return hash(code).toString("hex");
}
