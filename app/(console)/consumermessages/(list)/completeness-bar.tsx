/** In how many languages a message can be read; those that lack fields of the English text are told apart. */
export function CompletenessBar({
  count,
  partial,
  total,
}: Readonly<{ count: number; partial: number; total: number }>) {
  const width = (part: number) => ({ width: `${total === 0 ? 0 : (part / total) * 100}%` });
  return (
    <div className="min-w-24">
      <p className="whitespace-nowrap tabular-nums">
        {count}/{total} <span className="text-muted">languages</span>
      </p>
      <div aria-hidden="true" className="mt-1 flex h-1 max-w-40 overflow-hidden rounded-full bg-active">
        <span className="bg-good" style={width(count - partial)} />
        <span className="bg-warn" style={width(partial)} />
      </div>
      {partial > 0 && <p className="mt-0.5 text-xs text-warn tabular-nums">{`${partial} partial`}</p>}
    </div>
  );
}
