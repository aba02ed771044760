import { type Ecosystem, toCommands } from "./ecosystem.ts";

export const go: Ecosystem = {
  name: "go",
  marks: ["go.mod"],
  programs: { go: ["https://go.dev/doc/install"] },
  find({ files, names }) {
    const commands = toCommands("go.mod", { build: "go build ./...", test: "go test ./..." });
    const needs = names.has("go.sum") || /^\s*require\b/m.test(files.get("go.mod") ?? "");
    // The downloaded modules are in the home, which no other checkout shares.
    return needs ? { commands, setup: { run: "go mod download", from: "go.mod" } } : { commands };
  },
};
