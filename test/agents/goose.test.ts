import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { acpDriver } from "../../src/drivers/acp/acp-driver.ts";
import { GOOSE as PROFILE } from "../../src/drivers/acp/profiles/goose.ts";
import { GOOSE } from "./install.ts";
import { realAgentSuite, type Stage } from "./real.suite.ts";

await realAgentSuite(
  {
    name: "goose",
    package: GOOSE,
    driver: (command, url, limits) => {
      const { origin, pathname } = new URL(`${url}/chat/completions`);
      const set = {
        GOOSE_PROVIDER: "openai",
        OPENAI_HOST: origin,
        OPENAI_BASE_PATH: pathname.slice(1),
        OPENAI_API_KEY: "sk-loopback",
        // It tries as often as ever, only without a pause.
        GOOSE_PROVIDER_SKIP_BACKOFF: "true",
      };
      const profile = { ...PROFILE, command };
      return acpDriver({ name: "goose", profile, model: "gpt-4o", environment: { set }, limits });
    },
    // It counts the last request alone.
    usage: { inputTokens: 100, outputTokens: 20 },
  },
  ownCases,
);

function ownCases({ root, play }: Stage): void {
  describe("the real goose", () => {
    it("is refused to write outside its folder", async () => {
      const outside = join(root(), "outside.txt");
      const { events, last } = await play([{ write: { path: outside, content: "x" } }, { text: "I could not." }]);
      expect(last).toMatchObject({ type: "turn.finished", text: "I could not." });
      expect(events).toContainEqual(expect.objectContaining({ name: expect.stringContaining("(refused)") }));
      expect(existsSync(outside)).toBe(false);
    });
  });
}
