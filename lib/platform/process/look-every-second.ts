const lookEveryMs = 1_000;

/**
 * Does something every second, never twice at once, so that what one instance stores holds on every other within 2 s. The
 * first look is awaited; later ones may fail: while the database is away, the policy runtime says so.
 *
 * @returns ends it
 * @throws whatever the first look throws
 */
export async function lookEverySecond(look: () => Promise<void>): Promise<() => void> {
  await look();
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, lookEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
