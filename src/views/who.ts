type Player = { readonly role: string; readonly instance: string; readonly task?: string | undefined };

/** Who plays, in a few words: the instance's own name, or the role with its task where that says more. */
export function playerName({ role, instance, task }: Player): string {
  const who = instance && instance !== task ? instance : role;
  if (instance === who && instance !== "") return who;
  return [who, task !== who ? task : ""].filter(Boolean).join(" ");
}
