import { useStore } from "../data/hooks.ts";

/** Banner above every screen, because the lists below may be incomplete. */
export function UnreadableRuns() {
  const unreadable = useStore((store) => store.home.value?.unreadable);
  if (!unreadable || unreadable.length === 0) return null;
  return (
    <div className="banner" role="alert">
      {unreadable.map(({ repository, because }) => (
        <p key={`${repository} ${because}`}>
          <strong>Some runs of {repository} cannot be displayed.</strong> {because}
        </p>
      ))}
    </div>
  );
}
