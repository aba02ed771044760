import { commandsOf, type Ecosystem } from "./ecosystem.ts";

export const go: Ecosystem = {
  name: "go",
  marks: ["go.mod"],
  programs: { go: ["https://go.dev/doc/install"] },
  find({ files, names }) {
    const commands = commandsOf("go.mod", { build: "go build ./...", test: "go test ./..." });
    const needs = names.has("go.sum") || /^\s*require\b/m.test(files.get("go.mod") ?? "");
    // The downloaded modules are in the home, which no other checkout shares.
    return needs ? { commands, setup: { run: "go mod download", from: "go.mod" } } : { commands };
  },
};
