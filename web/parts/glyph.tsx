import type { JSX } from "react";
import { STATES, type StateName } from "../../src/views/states.ts";

const dot = <rect x="4.5" y="4.5" width="5" height="5" rx="1" fill="currentColor" stroke="none" />;
const check = <path d="M2.8 7.4 5.8 10.4 11.2 4" />;
const cross = <path d="M3.6 3.6 10.4 10.4M10.4 3.6 3.6 10.4" />;
const pauses = <path d="M5 3.5V10.5M9 3.5V10.5" />;
const back = <path d="M3.4 5.6A4.2 4.2 0 1 1 2.8 8M3.2 2.6V5.8H6.4" />;

/** One drawing per state. Words and colors come from the table that all surfaces use. */
const DRAWINGS: Readonly<Record<StateName, JSX.Element>> = {
  passed: check,
  done: check,
  failed: cross,
  missed: cross,
  error: cross,
  running: (
    <>
      <circle cx="7" cy="7" r="5" />
      <circle cx="7" cy="7" r="2.2" fill="currentColor" />
    </>
  ),
  waiting: <path d="M7 1.8 12.2 7 7 12.2 1.8 7Z" fill="currentColor" stroke="none" />,
  stale: (
    <>
      <circle cx="7" cy="7" r="5" strokeDasharray="2.6 1.4" />
      <path d="M7 4.4V7L8.8 8" />
    </>
  ),
  answered: dot,
  ended: dot,
  claim: <path d="M3 8.5V6.2C3 5 3.7 4.2 5 4M8.2 8.5V6.2C8.2 5 8.9 4.2 10.2 4M3 8.3H5.2V6.4H3M8.2 8.3H10.4V6.4H8.2" />,
  revision: back,
  retrying: <g transform="matrix(-1 0 0 1 14 0)">{back}</g>,
  flaky: <path d="M2.5 5.4C4.2 3.6 5.6 3.9 7 5S9.8 6.4 11.5 4.6M2.5 9.4C4.2 7.6 5.6 7.9 7 9S9.8 10.4 11.5 8.6" />,
  "red-before": <path d="M2.4 3.6H11.6L7 11.2Z" />,
  "not-run": (
    <>
      <circle cx="7" cy="7" r="4.8" />
      <path d="M3.8 10.2 10.2 3.8" />
    </>
  ),
  interrupted: <circle cx="7" cy="7" r="4.8" strokeDasharray="2.4 1.4" />,
  skipped: <path d="M2 7H9M6.4 4.2 9.2 7 6.4 9.8M11.6 3.6V10.4" />,
  abstained: <path d="M3 7H11" />,
  paused: pauses,
  canceled: pauses,
  queued: (
    <>
      <circle cx="7" cy="7" r="4.8" />
      <path d="M7 2.2A4.8 4.8 0 0 1 11.8 7H7Z" fill="currentColor" stroke="none" />
    </>
  ),
  "not-started": <circle cx="7" cy="7" r="4.4" />,
  unknown: <path d="M4.8 5A2.2 2.2 0 1 1 7.6 7.1C7.1 7.3 7 7.6 7 8.3M7 10.4V10.6" />,
};

/** A glyph with a label is an image; without one it is decoration next to its word. */
export function Glyph({ state, label }: { readonly state: StateName; readonly label?: string | undefined }) {
  const named = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: screen readers must not read it twice next to its word.
    <svg className={`glyph ${STATES[state].tone}`} width="14" height="14" viewBox="0 0 14 14" {...named}>
      {label === undefined ? null : <title>{label}</title>}
      {DRAWINGS[state]}
    </svg>
  );
}

/** Glyph and word in the color of the state. */
export function StateWord({ state, word }: { readonly state: StateName; readonly word?: string | undefined }) {
  return (
    <span className={`state ${STATES[state].tone}`}>
      <Glyph state={state} />
      <span>{word ?? STATES[state].word}</span>
    </span>
  );
}
