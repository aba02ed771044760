/** The meaning of a color on every surface. `good` is reserved for evidence and gates, never for claims. */
export type Tone = "good" | "bad" | "accent" | "warn" | "quiet";

export type State = {
  readonly glyph: string;
  /** Used on terminals that display ASCII only. */
  readonly ascii: string;
  readonly word: string;
  readonly tone: Tone;
  /** Legend text: what is in this state. */
  readonly means: string;
};

/** Every state that a surface can display, each with one glyph, one word and one color. */
export const STATES = {
  passed: { glyph: "✓", ascii: "+", word: "passed", tone: "good", means: "a check that the engine ran, or a gate" },
  done: { glyph: "✓", ascii: "+", word: "done", tone: "good", means: "a run whose gates all passed" },
  failed: { glyph: "✗", ascii: "x", word: "failed", tone: "bad", means: "a check or an attempt that failed" },
  missed: { glyph: "✗", ascii: "x", word: "missed", tone: "bad", means: "a gate or a rule that did not pass" },
  error: { glyph: "✗", ascii: "x", word: "error", tone: "bad", means: "a run that ended without a result" },
  running: { glyph: "●", ascii: "*", word: "running", tone: "accent", means: "in progress since the time shown" },
  waiting: { glyph: "◆", ascii: "!", word: "waiting for you", tone: "warn", means: "a question for a person" },
  stale: { glyph: "◷", ascii: "~", word: "engine gone", tone: "warn", means: "started, but no engine is running it" },
  answered: { glyph: "▪", ascii: ".", word: "answered", tone: "quiet", means: "an agent's answer was accepted" },
  ended: {
    glyph: "▪",
    ascii: ".",
    word: "ended",
    tone: "quiet",
    means: "ended without a gate that passed it",
  },
  claim: { glyph: "“", ascii: '"', word: "claim", tone: "quiet", means: "an agent's statement about its own work" },
  revision: { glyph: "↺", ascii: "R", word: "needs revision", tone: "warn", means: "returned to its author" },
  retrying: { glyph: "↻", ascii: "r", word: "retry", tone: "warn", means: "tried again" },
  flaky: { glyph: "≈", ascii: "f", word: "flaky", tone: "warn", means: "different results on the same tree" },
  "red-before": { glyph: "▽", ascii: "v", word: "red before", tone: "warn", means: "failed on the baseline too" },
  "not-run": { glyph: "⊘", ascii: "n", word: "not run", tone: "quiet", means: "required, but did not run" },
  interrupted: {
    glyph: "◌",
    ascii: "i",
    word: "interrupted",
    tone: "quiet",
    means: "stopped early; another attempt follows",
  },
  skipped: { glyph: "⇥", ascii: "s", word: "skipped", tone: "quiet", means: "skipped with a reason or by a rule" },
  abstained: { glyph: "–", ascii: "-", word: "abstained", tone: "quiet", means: "asked, but gave no verdict" },
  paused: { glyph: "‖", ascii: "=", word: "paused", tone: "quiet", means: "suspended until it is resumed" },
  canceled: { glyph: "‖", ascii: "=", word: "canceled", tone: "quiet", means: "canceled by a person" },
  queued: { glyph: "◔", ascii: "q", word: "queued", tone: "quiet", means: "waits for an engine" },
  "not-started": { glyph: "○", ascii: "o", word: "not started", tone: "quiet", means: "not reached yet" },
  unknown: { glyph: "?", ascii: "?", word: "unknown", tone: "quiet", means: "not reported; never counted as zero" },
} as const satisfies Readonly<Record<string, State>>;

export type StateName = keyof typeof STATES;
