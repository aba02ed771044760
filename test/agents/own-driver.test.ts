import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { lastEvent, makeScene } from "../cli/scene.ts";

const FAKE = fileURLToPath(new URL("./fake-acp.mjs", import.meta.url));

const createBehavior = (content: string) =>
  JSON.stringify({ kind: "does its job", writes: { path: "b.txt", content }, contract: { summary: "write b" } });

test("[U-17] a program that the configuration describes runs a role over the protocol", async () => {
  const scene = makeScene();
  const drivers = {
    mine: { command: process.execPath, args: [FAKE], env: { FAKE_ACP: createBehavior("by protocol\n") } },
  };
  scene.put(".signalbox/config.yaml", JSON.stringify({ drivers, agents: { "*": { driver: "mine" } } }));
  const ended = await scene.signalbox("run", "small", "x", "--json");
  expect(ended.exit, ended.out + ended.err).toBe(0);
  expect(scene.git("show", `signalbox/${String(lastEvent(ended)["run"])}:b.txt`)).toBe("by protocol\n");
});

test("the configuration overrides built-in settings of a known program", async () => {
  const scene = makeScene();
  const goose = { command: process.execPath, args: [FAKE], env: { FAKE_ACP: createBehavior("by another goose\n") } };
  scene.put(".signalbox/config.yaml", JSON.stringify({ drivers: { goose } }));
  const ended = await scene.signalbox("run", "small", "x", "--agent", "*=goose", "--json");
  expect(ended.exit, ended.out + ended.err).toBe(0);
  expect(scene.git("show", `signalbox/${String(lastEvent(ended)["run"])}:b.txt`)).toBe("by another goose\n");
});

test.each([
  ["a driver without a command", { drivers: { mine: { args: ["x"] } } }, "drivers.mine.command"],
  ["a driver with an unknown key", { drivers: { mine: { command: "x", flags: [] } } }, "flags"],
  ["an agent with an unknown driver", { agents: { "*": { driver: "gosse" } } }, 'Did you mean "goose"?'],
])("%s is refused before anything starts", async (_what, config, said) => {
  const scene = makeScene();
  scene.put(".signalbox/config.yaml", JSON.stringify(config));
  const ended = await scene.signalbox("run", "small", "x", "--json");
  expect(ended.exit).toBe(2);
  expect(lastEvent(ended)).toMatchObject({ type: "error", code: "CONFIG_INVALID" });
  expect(JSON.stringify(lastEvent(ended)).replaceAll('\\"', '"')).toContain(said);
});
