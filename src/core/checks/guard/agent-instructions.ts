/**
 * Files from which agent programs take orders, unasked, wherever they work: whoever writes one of them speaks to every
 * agent that comes after. At any depth, because most programs also read those of the folders on their way.
 */
const FILES = new Set([
  ...[
    "agents.md",
    "agents.override.md",
    "claude.md",
    "claude.local.md",
    "gemini.md",
    "qwen.md",
    "copilot-instructions.md",
  ],
  ...[".goosehints", ".cursorrules", ".windsurfrules", ".clinerules", ".mcp.json", "opencode.json", "opencode.jsonc"],
]);

const FOLDERS = new Set([
  ...[".claude", ".codex", ".gemini", ".qwen", ".kimi", ".kimi-code", ".opencode", ".goose", ".copilot", ".agents"],
  ...[".cursor", ".windsurf", ".clinerules", ".signalbox"],
]);

const OF_GITHUB = new Set(["agents", "instructions", "prompts", "chatmodes", "skills"]);

export function isInstruction(path: string): boolean {
  // Some disks know no capital letters, and find the file all the same.
  const parts = path.normalize("NFKC").toLowerCase().split("/");
  const name = parts.at(-1) ?? "";
  return (
    FILES.has(name) ||
    name.endsWith(".agent.md") ||
    parts.some((part, at) => FOLDERS.has(part) || (part === ".github" && OF_GITHUB.has(parts[at + 1] ?? "")))
  );
}
