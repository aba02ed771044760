import { useEffect, useState } from "react";
import { ApiError } from "../data/api.ts";
import { useNow } from "../data/hooks.ts";
import { coarse } from "./format.ts";

/** Shown after 150 ms, in the geometry of what comes; what is there at once never flickers. */
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
        Reading {what}, since {coarse(Math.max(0, now - since))}.
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

/** What went wrong, and what to do about it. */
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

/** The same inside a card. */
export function Quiet({ error, what }: { readonly error?: Error | undefined; readonly what: string }) {
  if (error) return <p className="pad bad">{error.message}</p>;
  return <p className="pad quiet-text">Reading {what} …</p>;
}
