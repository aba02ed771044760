import { useEffect, useState } from "react";
import { ApiError } from "../data/api.ts";
import { useNow } from "../data/hooks.ts";
import { formatRunningTime } from "./format.ts";

/** Appears after 150 ms in the layout of the final content, so that fast responses do not flicker. */
export function Skeleton({ what }: { readonly what: string }) {
  const [since] = useState(Date.now);
  const [late, setLate] = useState(false);
  const now = useNow();
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return <div className="page" />;
  return (
    <div className="page" role="status">
      <p className="quiet-text">
        Loading {what} for {formatRunningTime(Math.max(0, now - since))}.
      </p>
      <div className="skeleton" aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
      </div>
    </div>
  );
}

/** An error with its hint. */
export function Failure({ error }: { readonly error: Error }) {
  return (
    <div className="page">
      <div className="failure" role="alert">
        <p className="bad">{error.message}</p>
        {error instanceof ApiError && error.hint !== "" ? <p>{error.hint}</p> : null}
      </div>
    </div>
  );
}

/** Loading or error text inside a card. */
export function LoadingText({ error, what }: { readonly error?: Error | undefined; readonly what: string }) {
  if (error) return <p className="pad bad">{error.message}</p>;
  return <p className="pad quiet-text">Loading {what} …</p>;
}
