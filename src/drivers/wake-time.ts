/** Returns when the limit described in a text ends, in milliseconds, if stated. Every agent words it differently. */
export function parseWakeTime(said: string, now: number): number | undefined {
  const text = said.slice(0, MOST_CHARS);
  const at = parseTimestamp(text) ?? parseDate(text) ?? parseDuration(text, now) ?? parseClockTime(text, now);
  return at !== undefined && at > now ? at : undefined;
}

/** A limit is reported in the first lines; longer text is a log. */
const MOST_CHARS = 4_000;

const SECOND_MS = 1_000;
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^d/i, 86_400 * SECOND_MS],
  [/^h/i, 3_600 * SECOND_MS],
  [/^ms/i, 1],
  [/^m/i, 60 * SECOND_MS],
  [/^s/i, SECOND_MS],
];

/** `usage limit reached|1763290800` */
function parseTimestamp(text: string): number | undefined {
  const seconds = /limit[^|\n]{0,200}\|(\d{10})\b/i.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * SECOND_MS;
}

/** `resets at 2026-11-16T15:00:00Z`, or in local time `try again at Nov 16th, 2026 3:05 PM` */
function parseDate(text: string): number | undefined {
  const [, date = ""] = DATED.exec(text) ?? [];
  const at = Date.parse(date.replace(/(\d)(?:st|nd|rd|th)\b/, "$1"));
  return Number.isNaN(at) ? undefined : at;
}

const ISO = String.raw`\d{4}-\d\d-\d\dT[\d:.]*\d(?:Z|[+-]\d\d:?\d\d)?`;
const WORDS = String.raw`[A-Z][a-z]{2,8} \d{1,2}(?:st|nd|rd|th)?,? \d{4},? \d{1,2}:\d\d(?: ?[AP]M)?`;
const DATED = new RegExp(String.raw`\b(?:again|resets?|retry)\s+(?:at|on|after)\s+(${ISO}|${WORDS})`);

/** `retry in 32.5s`, `reset after 3h20m15s`, `try again in 3 days 4 hours`, `retry-after: 120` */
function parseDuration(text: string, now: number): number | undefined {
  const header = /\bretry-after"?:\s*"?(\d+)\b/i.exec(text)?.[1];
  if (header !== undefined) return now + Number(header) * SECOND_MS;
  const span =
    /\b(?:again|retry|resets?|retrydelay)"?\s*(?:in|after|:)\s*"?((?:\d+(?:\.\d+)?\s*[a-z]+[\s,]*(?:and\s)?)+)/i.exec(
      text,
    )?.[1];
  const parts = [...(span ?? "").matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)];
  const lengths = parts.map(
    ([, number, unit = ""]) => Number(number) * (UNITS.find(([name]) => name.test(unit))?.[1] ?? 0),
  );
  const length = lengths.reduce((sum, each) => sum + each, 0);
  return length > 0 ? now + Math.ceil(length) : undefined;
}

/** `resets 3pm (Europe/Berlin)`: the next time at which clocks there show it. */
function parseClockTime(text: string, now: number): number | undefined {
  const [, hour, minute = "00", half, zone] =
    /\bresets?\s+(?:at\s+)?(\d{1,2})(?::(\d\d))?\s*([ap]m)\s*\(([\w/+-]+)\)/i.exec(text) ?? [];
  if (hour === undefined || half === undefined || zone === undefined) return undefined;
  const wanted = `${String((Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)).padStart(2, "0")}:${minute}`;
  const shows = createClock(zone);
  const first = Math.ceil(now / MINUTE_MS) * MINUTE_MS;
  for (let at = first; shows && at <= first + DAY_MS; at += MINUTE_MS) if (shows(at) === wanted) return at;
  return undefined;
}

const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 25 * 60 * MINUTE_MS;

function createClock(timeZone: string): ((at: number) => string) | undefined {
  try {
    const format = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    return (at) => format.format(at);
  } catch {
    return undefined;
  }
}
