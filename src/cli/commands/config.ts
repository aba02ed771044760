import { stringify } from "yaml";
import { SignalboxError } from "../../core/failure/errors.ts";
import { findNearestWord } from "../../core/text/did-you-mean.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatTable } from "../../surfaces/terminal/table.ts";
import type { Call } from "../call.ts";
import { loadConfigLayers } from "../project/config-sources.ts";
import { resolvePlaces } from "../project/repository.ts";
import { listSettingEntries, type SettingEntry } from "../project/settings.ts";

/** Prints the effective value of one setting, of a group, or of all. */
export async function printConfig(call: Call, key: string | undefined): Promise<number> {
  const entries = await selectSettings(call, key);
  const values = Object.fromEntries(entries.map((entry) => [entry.key, entry.said[0]?.value]));
  const only = key === undefined ? undefined : values[key];
  if (call.json) call.emit({ v: 1, ...(only === undefined ? { values } : { key, value: only }) });
  else if (only !== undefined) call.verbatim(formatSetting(only));
  else for (const [name, value] of Object.entries(values)) call.verbatim(`${name}: ${formatSetting(value)}`);
  return 0;
}

/** Prints each effective value with its source and the values it overrides. */
export async function explainConfig(call: Call, key: string | undefined): Promise<number> {
  const entries = await selectSettings(call, key);
  if (call.json) {
    const settings = entries.map(({ key: name, said: [counts, ...hidden] }) => ({ key: name, ...counts, hidden }));
    call.emit({ v: 1, settings });
    return 0;
  }
  const { paint } = call;
  const rows = entries.flatMap(({ key: name, said }) =>
    said.map(({ value, from }, at) => {
      const [text, origin] = [toOneLine(formatSetting(value), 44), at === 0 ? from : `${from} (hidden)`];
      return [
        { text: at === 0 ? name : "", painted: at === 0 ? paint.bold(name) : "" },
        { text, painted: at === 0 ? text : paint.dim(text) },
        { text: origin, painted: paint.dim(origin) },
      ];
    }),
  );
  for (const line of formatTable(rows)) call.print(line);
  call.print(
    paint.dim("flags > SIGNALBOX_* > config.local.yaml > config.yaml > user > detected from the project > default"),
  );
  return 0;
}

async function selectSettings(call: Call, key: string | undefined): Promise<readonly SettingEntry[]> {
  const all = listSettingEntries(await loadConfigLayers(await resolvePlaces(call.dir)));
  if (key === undefined) return all;
  const matching = all.filter((entry) => entry.key === key || entry.key.startsWith(`${key}.`));
  if (matching.length > 0) return matching;
  const known = all.map((entry) => entry.key);
  const close = findNearestWord(key, known);
  throw new SignalboxError(
    "USAGE",
    `No setting "${key}" is set.${close ? ` Did you mean "${close}"?` : ""}`,
    `Settings with a value: ${known.join(", ")}. All settings are listed in docs/reference/configuration.md.`,
  );
}

function formatSetting(value: unknown): string {
  return typeof value === "object" ? stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trim() : String(value);
}
