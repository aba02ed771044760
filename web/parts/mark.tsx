export function Mark() {
  return (
    <svg className="mark" width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
      <path d="M4 15.5V3H11A3.2 3.2 0 0 1 11 9.4H4" fill="none" stroke="currentColor" strokeWidth="2" />
      <circle className="mark-dot" cx="13" cy="14" r="1.8" />
    </svg>
  );
}
