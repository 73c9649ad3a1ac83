export function Logo() {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className="size-6">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path d="M9 10.5h14M9 16h14M9 21.5h8" className="stroke-on-accent" strokeWidth="2.75" strokeLinecap="round" />
    </svg>
  );
}
