import { useStore } from "../data/hooks.ts";

/** On top of every screen: an empty list beside it may not be the whole of it. */
export function UnreadableRuns() {
  const unreadable = useStore((store) => store.home.value?.unreadable);
  if (!unreadable || unreadable.length === 0) return null;
  return (
    <div className="banner" role="alert">
      {unreadable.map(({ repository, because }) => (
        <p key={`${repository} ${because}`}>
          <strong>The runs of {repository} are not all shown.</strong> {because}
        </p>
      ))}
    </div>
  );
}
