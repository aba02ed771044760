import { afterEach, expect, test } from "vitest";
import { goOn, runOf, type Scene, sceneOf } from "../crash/real-run.ts";
import { world } from "../worlds/task.ts";
import type { RealWorld } from "../worlds/world.ts";

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) scene.remove();
});
function createScene(more: Partial<RealWorld> = {}): Scene {
  const made = sceneOf({ ...world, ...more });
  scenes.push(made);
  return made;
}
const findRunBranch = ({ git }: Scene): string =>
  git("for-each-ref", "--format=%(refname:short)", "refs/heads/signalbox/**");

test("a task revised once becomes a commit that describes the change and its reason", async () => {
  const at = createScene();
  const { code, out } = await runOf(at);
  expect(code, out.slice(-2_000)).toBe(0);
  const message = at.git("log", "-1", "--format=%B", findRunBranch(at));
  expect(message).toMatch(/^Greet people without a name\n\nWithout a name the greeting ended in `undefined`\.\n/);
  expect(at.git("show", `${findRunBranch(at)}:src/greet.js`)).toContain('name = "you"');
  expect(out.match(/"agent.started"/g)).toHaveLength(3);
});

test("a free-text request without a pipeline name runs the task pipeline", async () => {
  // The request replaces the pipeline's name.
  const at = createScene({ pipeline: world.args[0] ?? "", args: [] });
  const { code, out } = await runOf(at);
  expect(code, out.slice(-2_000)).toBe(0);
  expect(out).toContain('"pipeline":"task"');
  expect(out.match(/"agent.started"/g)).toHaveLength(2);
});

test("a single word that names no pipeline is refused, and nothing starts", async () => {
  const at = createScene({ pipeline: "taks", args: [] });
  const { code, out } = await runOf(at);
  expect(code).toBe(2);
  expect(out).toContain('Did you mean \\"task\\"?');
  expect((await goOn(at)).code).toBe(2);
});
