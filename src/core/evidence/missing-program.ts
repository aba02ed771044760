/** How a program is got that no package of a project brings along. */
export function fromOthers(program: string): string | undefined {
  return PROGRAMS.get(program);
}

const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ["pnpm", "npm install -g pnpm"],
  ["yarn", "npm install -g yarn"],
  ["bun", "npm install -g bun"],
  ["npm", "https://nodejs.org"],
  ["node", "https://nodejs.org"],
  ["deno", "https://deno.com"],
  ["go", "https://go.dev/doc/install"],
  ["cargo", "https://rustup.rs"],
  ["rustc", "https://rustup.rs"],
  ["make", "sudo apt install make"],
  ["python", "sudo apt install python3 python-is-python3"],
  ["python3", "sudo apt install python3 python3-venv"],
  ["tox", "pipx install tox"],
  ["uv", "pipx install uv"],
  ["poetry", "pipx install poetry"],
  ["golangci-lint", "https://golangci-lint.run/docs/welcome/install"],
  ["gcc", "sudo apt install build-essential"],
  ["cc", "sudo apt install build-essential"],
]);
