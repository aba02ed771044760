import { z } from "zod";
import { MESSAGE_KINDS } from "../../surfaces/webhooks/message.ts";
import { NOTICE_EVENTS } from "../../surfaces/webhooks/notice.ts";

const Variable = z.string().regex(/^[A-Za-z_]\w*$/, "must be the name of a variable");

const Webhook = z
  .strictObject({
    url: z
      .string()
      .refine((text) => isAddress(text), "must be an https:// URL without a password (http:// only for localhost)")
      .optional(),
    /** Variable that contains the address; a chat webhook's address is a secret. */
    "url-env": Variable.optional(),
    kind: z.enum(MESSAGE_KINDS).optional(),
    on: z.array(z.enum(NOTICE_EVENTS)).min(1).optional(),
    /** Variable that contains the secret for signing messages. */
    "secret-env": Variable.optional(),
  })
  .refine((webhook) => (webhook.url === undefined) !== (webhook["url-env"] === undefined), "set either url or url-env");

/** Configured notification targets of runs. */
export const Notify = z.strictObject({ webhooks: z.array(Webhook).max(20) });
export type ConfiguredWebhook = z.infer<typeof Webhook>;

const LOCAL = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Accepts https, or http on this machine, without credentials in the URL. */
export function isAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || `${url.username}${url.password}` !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOCAL.test(url.hostname));
}
