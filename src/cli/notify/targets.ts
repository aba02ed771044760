import { hash } from "node:crypto";
import { NOTICE_EVENTS, type Notice, type NoticeEvent } from "../../surfaces/webhooks/notice.ts";
import type { WebhookReceiver } from "../../surfaces/webhooks/send.ts";
import type { ConfigLayer } from "../project/config-sources.ts";
import { type ConfiguredWebhook, isAddress } from "./webhook-config.ts";

/** A notification target. */
export type Target = {
  /** Stable for as long as the address, or the variable that contains it, stays the same. */
  readonly id: string;
  readonly on: readonly NoticeEvent[];
  /** Display text, which contains at most the host of the address. */
  readonly shown: string;
  /** File that configures it. */
  readonly from: string;
  /** Configured by the repository, and therefore covered by the user's trust. */
  readonly brought: boolean;
  wants(notice: Notice): boolean;
  /** Resolves the receiver with this process's variables, or returns what is missing. */
  receiver(env: NodeJS.ProcessEnv): WebhookReceiver | { readonly lacks: string };
};

/** Collects the targets of all files without duplicates. A user's webhooks are added to those of the team. */
export function collectTargets(layers: readonly ConfigLayer[]): readonly Target[] {
  const all = layers.flatMap(({ from, config }) =>
    (config.notify?.webhooks ?? []).map((webhook) => createTarget(webhook, from)),
  );
  return [...new Map(all.toReversed().map((target) => [target.id, target])).values()].toReversed();
}

function createTarget(webhook: ConfiguredWebhook, from: string): Target {
  const { kind = "json", on = NOTICE_EVENTS, url, "url-env": variable, "secret-env": secretName } = webhook;
  return {
    id: hash("sha256", `${kind} ${url === undefined ? `$${variable}` : url}`).slice(0, 16),
    on,
    shown: `${kind} to ${describeAddress(webhook)}: ${on.join(", ")}`,
    from,
    brought: !from.startsWith("/"),
    wants: ({ event }) => on.includes(event),
    receiver(env) {
      const address = url ?? env[variable ?? ""];
      if (!address) return { lacks: `${variable} is not set here` };
      if (!isAddress(address)) return { lacks: `${variable} is not an https:// URL` };
      const secret = secretName === undefined ? undefined : env[secretName];
      if (secretName !== undefined && !secret) return { lacks: `${secretName} is not set here` };
      return { kind, url: address, secret };
    },
  };
}

/** Describes the address without its secret parts. */
export function describeAddress({ url, "url-env": variable }: ConfiguredWebhook): string {
  return url === undefined ? `the address in ${variable}` : `${URL.parse(url)?.host ?? "?"} …`;
}
