import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { loadRolePrompt } from "./role-prompt.ts";

function writePrompts(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-prompts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, "prompts", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return pathToFileURL(join(folder, "roles.ts")).href;
}

const HEAD = "---\nname: critic\ndescription: Finds faults: all of them.\n---\n";

test("the front matter gives name and description, the text below it the prompt", () => {
  const module = writePrompts({ "critic.md": `${HEAD}# Critic\n\nFind faults.\n` });
  const prompt = "# Critic\n\nFind faults.";
  expect(loadRolePrompt(module, "critic")).toEqual({ name: "critic", does: "Finds faults: all of them.", prompt });
});

test("the text below the protocol mark is the protocol, and Windows line endings are accepted", () => {
  const text = `${HEAD}# Critic\n\n<!-- protocol -->\n## Output\n\nWrite it.\n`;
  const module = writePrompts({ "critic.md": text.replaceAll("\n", "\r\n") });
  expect(loadRolePrompt(module, "critic")).toMatchObject({ prompt: "# Critic", protocol: "## Output\n\nWrite it." });
});

test("a placeholder is replaced by the shared file of its name", () => {
  const module = writePrompts({ "critic.md": `${HEAD}Find {{what}}.\n`, "shared/what.md": "faults\n" });
  expect(loadRolePrompt(module, "critic").prompt).toBe("Find faults.");
});

test.each([
  ["a file without front matter", { "critic.md": "# Critic\n" }, "prompts/critic.md does not begin with front matter"],
  [
    "a placeholder that leads outside the shared folder",
    { "critic.md": `${HEAD}{{../other}}`, "other.md": "from elsewhere\n", "shared/what.md": "faults\n" },
    "prompts/shared/../other.md is missing or empty",
  ],
  ["an unknown placeholder", { "critic.md": `${HEAD}{{what}}` }, "prompts/shared/what.md is missing or empty"],
  [
    "a placeholder in a shared file",
    { "critic.md": `${HEAD}{{what}}`, "shared/what.md": "{{why}}" },
    "prompts/shared/what.md has a placeholder itself",
  ],
  ["a missing file", {}, "critic.md"],
])("%s is an error that names the file", (_title, files, message) => {
  const module = writePrompts(files);
  expect(() => loadRolePrompt(module, "critic")).toThrow(message);
});
