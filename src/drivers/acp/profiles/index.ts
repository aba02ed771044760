import type { AcpProfile } from "../profile.ts";
import { COPILOT } from "./copilot.ts";
import { GEMINI } from "./gemini.ts";
import { GOOSE } from "./goose.ts";
import { KIMI } from "./kimi.ts";
import { OPENCODE } from "./opencode.ts";
import { QWEN } from "./qwen.ts";

/** Another program that speaks the protocol is one more file and one more line. */
export const ACP_PROFILES = {
  copilot: COPILOT,
  gemini: GEMINI,
  goose: GOOSE,
  kimi: KIMI,
  opencode: OPENCODE,
  qwen: QWEN,
} as const satisfies Readonly<Record<string, AcpProfile>>;
