import { join } from "node:path";
import { z } from "zod";
import type { DriverLogin, HeldLogin } from "../descriptor.ts";

/** Variables of the user that Codex may see: its key first, then the others. */
export const CODEX_VARIABLES = [
  "CODEX_API_KEY",
  ...["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "SSL_CERT_FILE", "CODEX_CA_CERTIFICATE"],
];

export const CODEX_LOGIN: DriverLogin = {
  files: ({ home, env }) => [join(env["CODEX_HOME"] || join(home, ".codex"), "auth.json")],
  read: (document) => AuthFile.safeParse(document).data,
  // On other systems the login may be in a key ring.
  only: process.platform === "linux",
};

const Text = z.string().min(1);

const AuthFile = z.union([
  z.object({ tokens: z.object({ access_token: Text, refresh_token: z.string().nullish() }) }).transform(
    ({ tokens }): HeldLogin => ({
      by: "logged in with ChatGPT",
      renews: Boolean(tokens.refresh_token),
      endsAt: readTokenExpiry(tokens.access_token),
    }),
  ),
  z.object({ OPENAI_API_KEY: Text }).transform((): HeldLogin => ({ by: "logged in with a key", renews: true })),
]);

/** Reads the expiry from a JSON web token without verifying its signature. */
function readTokenExpiry(token: string): number | undefined {
  const [, claims = ""] = token.split(".");
  try {
    const { data } = z.object({ exp: z.number() }).safeParse(JSON.parse(Buffer.from(claims, "base64url").toString()));
    return data && data.exp * 1000;
  } catch {
    return undefined;
  }
}
