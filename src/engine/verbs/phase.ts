import type { Verbs } from "../../core/authoring/verbs.ts";
import * as guards from "../replay/guards.ts";
import { createStepKey, enterScope, runGuarded } from "../replay/step.ts";
import type { Run } from "../run.ts";

/** phase() and skip(): the position of the scope among the declared headings. */
export function createHeadingVerbs(run: Run): Pick<Verbs<unknown>, "phase" | "skip"> {
  return {
    phase(title) {
      if (run.over) return;
      const scope = enterScope(run, `phase("${title}")`);
      runGuarded(run, () => run.phases.mayFollow(scope.phase, title, scope.skipped));
      scope.phase = title;
    },
    skip(title, reason) {
      if (run.over) return;
      const scope = enterScope(run, `skip("${title}")`);
      runGuarded(run, () => run.phases.find(title));
      scope.skipped.add(title);
      const n = scope.n++;
      const key = createStepKey(run, { ...scope, phase: title }, "skip");
      const past = run.history.at(scope.id, n);
      if (past) {
        if (past.started.key !== key) run.refuse(guards.createDivergedError(run.id, key, past.started.key));
        run.visited.add(key);
        return;
      }
      if (run.history.lastPlace(scope.id) > n) run.refuse(guards.createDivergedError(run.id, key, "another step"));
      run.recorder.record({ type: "phase.skipped", key, scope: scope.id, n, title, reason });
    },
  };
}
