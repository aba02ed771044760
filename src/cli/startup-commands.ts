import type { Effect } from "../core/effect.ts";
import type { Handlers, Host } from "../core/ports/host.ts";

type Performer = Pick<Handlers, "perform" | "recover">;

/** A look at the start-up also sees the commands that the run was started with: only its journal has them. */
export function withStartupCommands(performer: Performer, host: Host): Performer {
  const sight: Performer["perform"] = async (effect, signal) => {
    const seen = await performer.perform(effect, signal);
    // An effect of one kind is one of all kinds.
    const asked = effect as Effect;
    if (asked.kind !== "see" || asked.request.what !== "startup") return seen;
    const [started] = await host.journal.load(effect.run);
    const commands = started?.type === "run.started" ? started.commands : [];
    const named = Object.fromEntries(commands.map(({ name, run }) => [name, run]));
    // A sight is JSON, and this one is an object with `commands`.
    return { ...(seen as object), commands: named } as typeof seen;
  };
  return {
    perform: sight,
    recover: (effect, signal) => (effect.kind === "see" ? sight(effect, signal) : performer.recover(effect, signal)),
  };
}
