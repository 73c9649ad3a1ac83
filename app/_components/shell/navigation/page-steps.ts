let follow: ((path: string) => void) | null = null;

export function announceStep(url: string): void {
  follow?.(new URL(url, window.location.href).pathname);
}

/** Calls `follower` with the path of each step to another address, until the returned function is called. */
export function followSteps(follower: (path: string) => void): () => void {
  follow = follower;
  return () => {
    follow = null;
  };
}
