import type { Verbs } from "../../core/verbs.ts";
import type { Started } from "./startup.ts";

/** Step O4.5: no code is written before it is clear what happens to changes that are not committed. */
export async function gitGate({ see, ask, end }: Verbs<unknown>, { book }: Started): Promise<void> {
  if (book.progress().git_gate_completed) return;
  await book.save({ current_phase: "GIT_GATE", current_step: "O4.5" }, "git.gate.start");
  const { dirt, operation } = await see("checkout");
  if (operation)
    return end({ status: "error", reason: `a ${operation} is under way in the checkout: finish it first` });
  const code = dirt.filter((path) => !isDocument(path));
  if (code.length > 0) {
    const title = "There are uncommitted changes. Work from the last commit and leave them where they are?";
    const { choice } = await ask({ title, show: code, choices: ["leave them", "abort"], auto: "never" });
    if (choice === "abort") return end({ status: "error", reason: "aborted at the git gate" });
  }
  await book.save({ git_gate_completed: true }, "git.gate.complete");
}

export const isDocument = (path: string): boolean => path.startsWith("docs/") || path.endsWith(".md");
