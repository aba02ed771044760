import type { Pipeline } from "../core/pipeline.ts";
import type { Definitions } from "../core/ports/definitions.ts";
import type { Driver } from "../core/ports/driver.ts";
import type { World } from "../core/ports/world.ts";
import { type AgentChoice, type Agents, describeAgent, driverOf } from "./agents.ts";

/** The built-in definitions: a role's own sentence as its prompt, and the agent that was chosen for it. */
export function builtInDefinitions(agents: Agents, world: World): Definitions {
  const drivers = new Map<string, Promise<Driver>>();
  const driverFor = (choice: AgentChoice): Promise<Driver> => {
    const name = describeAgent(choice);
    const driver = drivers.get(name) ?? driverOf(choice);
    drivers.set(name, driver);
    return driver;
  };
  return {
    async define(pipeline, role) {
      const choice = agents(role);
      if (!choice) throw new Error(`the role ${role} was dispatched although nobody plays it`);
      const model = choice.driver === "scripted" ? undefined : choice.model;
      const signed = pipeline.roles.find((each) => each.name === role)?.signed;
      return {
        prompt: promptOf(pipeline, role),
        driver: await driverFor(choice),
        from: "built in",
        ...(model === undefined ? {} : { model }),
        ...(signed ? { signature: signatureOf(world, role) } : {}),
      };
    },
  };
}

function promptOf(pipeline: Pipeline, role: string): string {
  const does = pipeline.roles.find((each) => each.name === role)?.does ?? "";
  return `You are the ${role} of a team that works on this repository.\n\n${does}`;
}

/** Constant per role, so that an answer can be told from one of an agent that was given another definition. */
function signatureOf(world: World, role: string): string {
  return world.hash(`signalbox built-in role ${role}`).slice(0, 12);
}
