import { join } from "node:path";
import { z } from "zod";
import type { DriverLogin, HeldLogin } from "../descriptor.ts";

/** Variables of the user that Claude Code may see: keys first, then the others. */
export const CLAUDE_VARIABLES = [
  ...["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
  ...["ANTHROPIC_BASE_URL", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS"],
];

export const CLAUDE_LOGIN: DriverLogin = {
  files: ({ home, env }) => [join(env["CLAUDE_CONFIG_DIR"] || join(home, ".claude"), ".credentials.json")],
  read: (document) => Credentials.safeParse(document).data,
  // On other systems the login may be in a key ring.
  only: process.platform === "linux",
};

const Credentials = z
  .object({
    claudeAiOauth: z.object({
      accessToken: z.string().min(1),
      refreshToken: z.string().nullish(),
      expiresAt: z.number().nullish(),
      subscriptionType: z.string().nullish(),
    }),
  })
  .transform(({ claudeAiOauth: { refreshToken, expiresAt, subscriptionType } }): HeldLogin => {
    const plan = subscriptionType && /^\w{1,20}$/.test(subscriptionType) ? `, ${subscriptionType}` : "";
    return { by: `logged in with Claude${plan}`, renews: Boolean(refreshToken), endsAt: expiresAt ?? undefined };
  });
