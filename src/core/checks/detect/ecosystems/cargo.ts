import { type Ecosystem, toCommands } from "./ecosystem.ts";

const FROM = "Cargo.toml";

export const cargo: Ecosystem = {
  name: "cargo",
  marks: [FROM],
  programs: { cargo: ["https://rustup.rs"], rustc: ["https://rustup.rs"] },
  toolChains: { RUSTUP_HOME: ".rustup" },
  find({ files, names }) {
    const text = files.get(FROM) ?? "";
    // A package that is also the root of a workspace would be built alone.
    const all = /^\[workspace\]/m.test(text) && /^\[package\]/m.test(text) ? " --workspace" : "";
    const commands = toCommands(FROM, { build: `cargo build${all}`, test: `cargo test${all}` });
    if (names.has("Cargo.lock")) return { commands, setup: { run: "cargo fetch --locked", from: FROM } };
    const needs =
      /^\[(?:[\w.'"()=, -]*\.)?(?:(?:dev|build)-)?dependencies\b/m.test(text) || /^\[workspace\]/m.test(text);
    return needs ? { commands, setup: { run: "cargo fetch", from: FROM } } : { commands };
  },
};
