/** Detects the author from name, address and the last lines of the message. */
export function detectSource(author: string, body: string): "people" | "agents" {
  return AGENT_AUTHOR.test(author) || AGENT_LINE.test(body) ? "agents" : "people";
}

/** Whole words, and of a name that people have too only what no person is called. Robots that raise versions are none. */
const AGENT =
  "claude[ -]?(?:code|opus|sonnet|haiku|fable|mythos|\\d|<)|noreply@anthropic\\.com|copilot|codex|cursor ?agent|cursor <" +
  "|devin-ai|devin ai|gemini[ -](?:cli|\\d|code)|google-labs-jules|aider|openhands|pullfrog|sweep-ai|amp@|ampcode|windsurf|opencode";
const AGENT_AUTHOR = new RegExp(`(?<![\\w-])(?:${AGENT})`, "i");
const AGENT_LINE = new RegExp(
  `^\\W*(?:co-authored-by|assisted-by|(?:🤖 )?generated (?:with|by)|aider).*(?<![\\w-])(?:${AGENT})`,
  "im",
);
