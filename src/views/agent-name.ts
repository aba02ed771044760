type AgentInstance = { readonly role: string; readonly instance: string; readonly task?: string | undefined };

/** Returns the display name of an agent: its instance name, or its role with the task if that is more specific. */
export function formatAgentName({ role, instance, task }: AgentInstance): string {
  const who = instance && instance !== task ? instance : role;
  if (instance === who && instance !== "") return who;
  return [who, task !== who ? task : ""].filter(Boolean).join(" ");
}
