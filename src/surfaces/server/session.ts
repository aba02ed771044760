import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const CODE_MS = 5 * 60_000;
/** Who asks for more has the newest of them. */
const MOST_CODES = 20;

/** Who may use the server: whoever has its token, and whoever gets it for a code that was good once. */
export type Session = {
  isToken(given: string): boolean;
  newCode(): string;
  /** The token; undefined for a code that is unknown, too old or used. */
  exchange(code: string): string | undefined;
};

export function createSession({ token, now }: { readonly token: string; readonly now: () => number }): Session {
  const codes = new Map<string, number>();
  const expected = digest(token);
  return {
    isToken: (given) => timingSafeEqual(digest(given), expected),
    newCode() {
      const code = randomBytes(24).toString("base64url");
      codes.set(keyOf(code), now() + CODE_MS);
      for (const oldest of [...codes.keys()].slice(0, -MOST_CODES)) codes.delete(oldest);
      return code;
    },
    exchange(code) {
      const until = codes.get(keyOf(code));
      codes.delete(keyOf(code));
      return until === undefined || until < now() ? undefined : token;
    },
  };
}

/** Of equal length whatever was given, so that comparing takes as long. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Looked up by its digest: how long that takes says nothing about the code. */
function keyOf(code: string): string {
  return digest(code).toString("hex");
}
