import { z } from "zod";
import { MESSAGE_KINDS } from "../../surfaces/webhooks/message.ts";
import { NOTICE_EVENTS } from "../../surfaces/webhooks/notice.ts";

const Variable = z.string().regex(/^[A-Za-z_]\w*$/, "name a variable");

const Webhook = z
  .strictObject({
    url: z
      .string()
      .refine((text) => isAddress(text), "write an https:// address without a password; http:// only for this machine")
      .optional(),
    /** The variable that holds the address: that of a chat is a secret. */
    "url-env": Variable.optional(),
    kind: z.enum(MESSAGE_KINDS).optional(),
    on: z.array(z.enum(NOTICE_EVENTS)).min(1).optional(),
    /** The variable with the secret that messages are signed with. */
    "secret-env": Variable.optional(),
  })
  .refine((said) => (said.url === undefined) !== (said["url-env"] === undefined), "say either url or url-env");

/** Who is told of a run, beside whoever looks. */
export const Notify = z.strictObject({ webhooks: z.array(Webhook).max(20) });
export type ConfiguredWebhook = z.infer<typeof Webhook>;

const LOCAL = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Neither readable on its way nor with a password in it. */
export function isAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || `${url.username}${url.password}` !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOCAL.test(url.hostname));
}
