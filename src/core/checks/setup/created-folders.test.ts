import { expect, test } from "vitest";
import { listCreatedFolders } from "./created-folders.ts";

test.each([
  ["npm ci", ["node_modules"]],
  ["pnpm install --frozen-lockfile && npm run build", ["node_modules"]],
  ["python3 -I -m venv .env && .env/bin/pip install -r requirements.txt", [".env"]],
  ["uv sync", [".venv"]],
  ["make deps", []],
])("of %s it is known that it brings %j", (line, folders) => {
  expect(listCreatedFolders(line)).toEqual(folders);
});
