import { hash } from "node:crypto";
import { NOTICE_EVENTS, type Notice, type NoticeEvent } from "../../surfaces/webhooks/notice.ts";
import type { Receiver } from "../../surfaces/webhooks/send.ts";
import type { Layer } from "../project/config-sources.ts";
import { type ConfiguredWebhook, isAddress } from "./webhook-config.ts";

/** Somebody who is to be told. */
export type Target = {
  /** The same as long as its address, or the variable that holds it, is. */
  readonly id: string;
  readonly on: readonly NoticeEvent[];
  /** As a person reads it: never more of the address than its host. */
  readonly shown: string;
  /** The file that names it. */
  readonly from: string;
  /** The repository brings it: it is part of the person's yes. */
  readonly brought: boolean;
  wants(notice: Notice): boolean;
  /** With this process's variables; what is missing, where it cannot be sent. */
  receiver(env: NodeJS.ProcessEnv): Receiver | { readonly lacks: string };
};

/** All that any file names, each once: who adds a webhook of their own takes nobody's away. */
export function targetsIn(layers: readonly Layer[]): readonly Target[] {
  const all = layers.flatMap(({ from, config }) =>
    (config.notify?.webhooks ?? []).map((webhook) => targetOf(webhook, from)),
  );
  return [...new Map(all.toReversed().map((target) => [target.id, target])).values()].toReversed();
}

function targetOf(webhook: ConfiguredWebhook, from: string): Target {
  const { kind = "json", on = NOTICE_EVENTS, url, "url-env": variable, "secret-env": secretName } = webhook;
  return {
    id: hash("sha256", `${kind} ${url === undefined ? `$${variable}` : url}`).slice(0, 16),
    on,
    shown: `${kind} to ${addressShown(webhook)}: ${on.join(", ")}`,
    from,
    brought: !from.startsWith("/"),
    wants: ({ event }) => on.includes(event),
    receiver(env) {
      const address = url ?? env[variable ?? ""];
      if (!address) return { lacks: `${variable} is not set here` };
      if (!isAddress(address)) return { lacks: `${variable} holds no https:// address` };
      const secret = secretName === undefined ? undefined : env[secretName];
      if (secretName !== undefined && !secret) return { lacks: `${secretName} is not set here` };
      return { kind, url: address, secret };
    },
  };
}

/** Whom it would go to, without what makes it a secret. */
export function addressShown({ url, "url-env": variable }: ConfiguredWebhook): string {
  return url === undefined ? `the address in ${variable}` : `${URL.parse(url)?.host ?? "?"} …`;
}
