/**
 * Files from which agent programs take instructions wherever they run: their author instructs every later agent. They
 * are matched at any depth, because most programs also read those of parent folders.
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
  // Case-insensitive disks find the file under any capitalization.
  const parts = path.normalize("NFKC").toLowerCase().split("/");
  const name = parts.at(-1) ?? "";
  return (
    FILES.has(name) ||
    name.endsWith(".agent.md") ||
    parts.some((part, at) => FOLDERS.has(part) || (part === ".github" && OF_GITHUB.has(parts[at + 1] ?? "")))
  );
}
